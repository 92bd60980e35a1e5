/** Rules of the kinds of `apiregistration.k8s.io`. */

import { isPathSegment } from '../../apimachinery/name-validation.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { apiService, apiServiceStatus } from './api-service-validation.ts';

/** Rules of the kinds of `apiregistration.k8s.io`, by type. */
export const apiregistrationKinds: Readonly<Record<string, BuiltinKind>> = {
  'apiregistration.APIService': {
    checkName: isPathSegment,
    values: { 'apiregistration.ServiceReference': { port: 443 } },
    check: apiService,
    checkStatus: apiServiceStatus,
  },
};
