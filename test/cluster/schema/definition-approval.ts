import type { FieldError } from '../field-error.ts';
import { invalid, required } from '../kinds/checks.ts';

/** The annotation of definitions in groups of Kubernetes itself. */
const annotation = 'api-approved.kubernetes.io';
const path = `metadata.annotations[${annotation}]`;
const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
const wanted = `protected groups must have approval annotation "${annotation}"`;

/** With a scheme and a host, as Go reads the URL of a request. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
const isUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^\s"<>\\^`{|}/?]+([/?][^\0-\x1f\x7f]*)?$/i.test(text);

/** What a definition says about its approval, and whether it may be written. */
export interface Approval {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
}

/** Whether a definition is approved; undefined outside of the groups of Kubernetes itself. */
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
