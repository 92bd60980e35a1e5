/** Warnings of core kinds without a folder of their own. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { addressWarnings, rangeWarnings } from '../../apimachinery/validation/address-rules.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import type { Warn } from '../builtin-kind.ts';
import { annotationsOf, textsOf } from '../warning-fields.ts';

/** Warns of a Node. */
export const nodeWarnings: Warn = function* ({ spec }) {
  const { configSource, externalID, podCIDRs } = fieldsOf(spec);
  if (configSource !== undefined) yield 'spec.configSource: the feature is removed';
  if (externalID) yield 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
  for (const [index, range] of textsOf(podCIDRs).entries()) yield* rangeWarnings(range, `spec.podCIDRs[${index}]`);
};

/** Warns of Endpoints. */
export const endpointsWarnings: Warn = function* ({ subsets }) {
  for (const [index, subset] of listOf(subsets).entries()) {
    for (const list of ['addresses', 'notReadyAddresses']) {
      for (const [place, { ip }] of listOf(subset[list]).entries()) {
        yield* addressWarnings(ip, `subsets[${index}].${list}[${place}].ip`);
      }
    }
  }
};

const mountable = 'kubernetes.io/enforce-mountable-secrets';

/** Warns of a ServiceAccount. */
export const accountWarnings: Warn = function* (object, former) {
  if (former !== undefined || !(mountable in annotationsOf(object))) return;
  yield `metadata.annotations[${mountable}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
};

/** Returns whether a text has a block of PEM with something in it, in linear time. */
function hasPem(text: string, what: string): boolean {
  const begin = new RegExp(`-----BEGIN ${what}-----`).exec(text);
  if (begin === null) return false;
  const end = new RegExp(`-----END ${what}-----`, 'g');
  end.lastIndex = begin.index + begin[0].length + 1;
  return end.test(text);
}

const keyKind = String.raw`(?:\w+ )?PRIVATE KEY`;

const decoded = (data: unknown): string => Buffer.from(String(data ?? ''), 'base64').toString();

/** Returns the problem of a certificate and key pair; undefined without one. */
function pairProblem(certificate: string, key: string): string | undefined {
  if (!hasPem(certificate, 'CERTIFICATE')) return 'tls: failed to find any PEM data in certificate input';
  if (!hasPem(key, keyKind)) return 'tls: failed to find any PEM data in key input';
  try {
    const isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    return isPair ? undefined : 'tls: private key does not match public key';
  } catch {
    return 'tls: failed to parse private key';
  }
}

/** Warns of a Secret. */
export const secretWarnings: Warn = function* ({ type, data }) {
  if (type !== 'kubernetes.io/tls') return;
  const { 'tls.crt': certificate, 'tls.key': key } = fieldsOf(data);
  const problem = pairProblem(decoded(certificate), decoded(key));
  if (problem !== undefined) yield problem;
};
