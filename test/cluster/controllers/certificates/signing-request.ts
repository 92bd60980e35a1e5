import { type CertificateRequest, requestIn } from '../../http/certificate-request.ts';
import type { ApiObject } from '../../objects/object.ts';
import type { Condition } from '../pods/pod.ts';

/** A CertificateSigningRequest. */
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

/** The collection of signing requests. */
export const signingRequests = 'certificates.k8s.io/certificatesigningrequests';

/** Whether a request has a condition. */
export const has = ({ status }: SigningRequest, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type) ?? false;

/** What is asked for; undefined when that cannot be read. */
export const askedIn = ({ spec }: SigningRequest): CertificateRequest | undefined =>
  requestIn(Buffer.from(spec.request, 'base64').toString());

/** A request with one more condition. */
export const withCondition = (request: SigningRequest, condition: Omit<Condition, 'status'>): SigningRequest => {
  const conditions = request.status?.conditions ?? [];
  const said = { status: 'True', ...condition } as Condition;
  return { ...request, status: { ...request.status, conditions: [...conditions, said] } };
};
