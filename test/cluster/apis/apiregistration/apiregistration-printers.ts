/** Tables of the kinds of `apiregistration.k8s.io`. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import { ageOf, conditionOf, nameOf, type Printer } from '../printing/printer.ts';

function availability(service: Fields): string {
  const { status, reason } = conditionOf(service, 'Available');
  if (status === undefined) return 'Unknown';
  return status === 'True' ? 'True' : `${status} (${reason})`;
}

/** Printers of the kinds of the group, by plural. */
export const apiregistrationPrinters: Readonly<Record<string, Printer>> = {
  apiservices: {
    columns: 'Name|Service|Available|Age',
    cells(object, ago) {
      const { namespace, name } = fieldsOf(fieldsOf(object.spec).service);
      const place = name === undefined ? 'Local' : `${namespace}/${name}`;
      return [nameOf(object), place, availability(object), ageOf(object, ago)];
    },
  },
};

/** Descriptions of the columns, by `plural Column`. */
export const apiregistrationColumnTexts: Readonly<Record<string, string>> = {
  'apiservices Available': 'Whether this service is available.',
  'apiservices Service': 'The reference to the service that hosts this API endpoint.',
};
