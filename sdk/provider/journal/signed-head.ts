/** Parses and verifies the texts of mirrors. */

import { canonicalJson } from '../../api/digest.ts';
import { isJsonObject } from '../../api/json.ts';
import type { Seal, Verification } from '../host/seal.ts';
import type { MirrorHead } from './mirror-pages.ts';

/** Text of a mirror, parsed, and what its signature proves. */
export interface SignedHead {
  readonly seal: Seal;
  readonly text: string;
  readonly head: MirrorHead;
  readonly verification: Verification;
}

function signedHead(seal: Seal, text: string): SignedHead | undefined {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) return undefined;
  const { seal: signature, ...head } = value as unknown as MirrorHead & { readonly seal?: unknown };
  const verify = (): Verification =>
    typeof signature === 'string'
      ? seal.verify(canonicalJson(head), signature)
      : seal.sign('') === undefined
        ? 'unknown'
        : 'invalid';
  return { seal, text, head, verification: verify() };
}

/** Heads by the annotations of an object, and by name. */
const heads = new WeakMap<object, Map<string, SignedHead | undefined>>();

/**
 * Returns the head in an annotation; undefined if it is no object. It is parsed and verified once for each state of its object, not at each look.
 * @throws SyntaxError
 */
export function headOf(
  seal: Seal,
  annotations: Readonly<Record<string, string>>,
  annotation: string,
): SignedHead | undefined {
  const text = annotations[annotation] ?? '';
  const known = heads.get(annotations) ?? new Map<string, SignedHead | undefined>();
  const last = known.get(annotation);
  if (last?.seal === seal && last.text === text) return last;
  const head = signedHead(seal, text);
  heads.set(annotations, known.set(annotation, head));
  return head;
}
