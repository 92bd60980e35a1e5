/** CertificateSigningRequests: type, conditions and parsed request. */

import type { ApiObject } from '../../apimachinery/object.ts';
import { type CertificateRequest, requestIn } from '../../pki/certificate-request.ts';
import type { Condition } from '../pods/pod.ts';

/** CertificateSigningRequest object. */
export interface SigningRequest extends ApiObject {
  readonly spec: {
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
    readonly username?: string;
    readonly groups?: readonly string[];
    readonly uid?: string;
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly certificate?: string };
}

/** Collection of signing requests. */
export const signingRequests = 'certificates.k8s.io/certificatesigningrequests';

/** Reports whether a request has a condition of a type. */
export const has = ({ status }: SigningRequest, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type) ?? false;

/** Parses the PKCS #10 request; undefined if it is malformed. */
export const askedIn = ({ spec }: SigningRequest): CertificateRequest | undefined =>
  requestIn(Buffer.from(spec.request, 'base64').toString());

/** Returns the request with another condition. */
export const withCondition = (request: SigningRequest, condition: Omit<Condition, 'status'>): SigningRequest => {
  const conditions = request.status?.conditions ?? [];
  const said = { status: 'True', ...condition } as Condition;
  return { ...request, status: { ...request.status, conditions: [...conditions, said] } };
};
