/** Approval of definitions in Kubernetes' own API groups. */

import type { FieldError } from '../apimachinery/field-error.ts';
import { invalid, required } from '../apimachinery/validation/errors.ts';

/** Approval annotation of definitions in Kubernetes' own groups. */
const annotation = 'api-approved.kubernetes.io';
const path = `metadata.annotations[${annotation}]`;
const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
const wanted = `protected groups must have approval annotation "${annotation}"`;

/** Reports whether a text is a URL with a scheme and host, as Go parses request URLs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
const isUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^\s"<>\\^`{|}/?]+([/?][^\0-\x1f\x7f]*)?$/i.test(text);

/** Approval condition of a definition, and the errors of its annotation. */
export interface Approval {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
}

/** Returns the approval of a definition; undefined outside of Kubernetes' own groups. */
export function approvalOf(group: string, annotations: Readonly<Record<string, unknown>>): Approval | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return undefined;
  const text = String(annotations[annotation] ?? '');
  const refused = (reason: string, message: string, errors: readonly FieldError[] = []): Approval => ({
    ...{ status: 'False', reason, message, errors },
  });
  if (text === '') {
    const message = `${wanted}, ${see}`;
    return refused('MissingAnnotation', message, [required(path, message)]);
  }
  if (text.startsWith('unapproved')) return refused('UnapprovedAnnotation', `not approved: ${JSON.stringify(text)}`);
  if (isUrl(text)) return { status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${text}`, errors: [] };
  const message = `${wanted} with either a URL or a reason starting with "unapproved", ${see}`;
  return refused('InvalidAnnotation', message, [invalid(path, text, message)]);
}
