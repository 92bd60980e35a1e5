/** Parses field selectors and matches objects against them. */

import { type ApiObject, valueAt } from '../object.ts';
import type { ResourceInfo } from '../resource-info.ts';
import { badRequest } from '../status.ts';

/** Comparison of a field selector. */
export interface FieldRequirement {
  readonly label: string;
  readonly equals: boolean;
  readonly value: string;
}

const separator = /(?<!\\)(?:\\\\)*,/;

/** Splits a text at unescaped commas. */
const termsOf = (text: string): string[] => text.split(separator).filter((term) => term !== '');

const unescaped = (text: string): string =>
  text.replace(/\\([\\,=])|(\\.?|[,=])/gs, (_all, escaped?: string, wrong?: string) => {
    if (escaped !== undefined) return escaped;
    if (wrong!.startsWith('\\')) throw badRequest(`invalid field selector: invalid escape sequence: ${wrong}`);
    throw badRequest(`invalid field selector: unescaped character in value: ${wrong!.charCodeAt(0)}`);
  });

/** Parses a field selector. Throws the server's 400. */
export function fieldRequirementsOf(text: string): FieldRequirement[] {
  return termsOf(text).map((term) => {
    const match = /^((?:[^=!]|!(?!=))*)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    return { label: match[1]!, equals: match[2] !== '!=', value: unescaped(match[3]!) };
  });
}

/** Reports whether a label is one of metadata that the kind supports. */
const isOfMetadata = ({ custom, namespaced }: ResourceInfo, label: string): boolean =>
  label === 'metadata.name' || (label === 'metadata.namespace' && (custom === undefined || namespaced));

/** Paths of labels whose field is elsewhere in the object. */
const paths: Record<string, string> = { 'spec.host': 'spec.nodeName', source: 'source.component' };

/** Labels that substitute an empty one. */
const substitutes: Record<string, string> = { source: 'reportingComponent' };

/** Values of absent fields, where they are not the empty text. */
const absentValues: Record<string, string> = {
  'spec.unschedulable': 'false',
  'spec.hostNetwork': 'false',
  'status.replicas': '0',
  'status.successful': '0',
};

function textOf(object: ApiObject, label: string): string {
  const value = valueAt(object, (paths[label] ?? label).replace(/^\./, '').split('.'));
  if (label === 'status.podIPs') return '';
  const isAbsent = value === undefined || value === null;
  const other = substitutes[label];
  if (other !== undefined && (isAbsent || value === '')) return textOf(object, other);
  return isAbsent ? (absentValues[label] ?? '') : String(value);
}

function refuseUnknown(info: ResourceInfo, label: string): void {
  if (isOfMetadata(info, label)) return;
  const known = info.custom ? info.custom.selectableFields.map((path) => path.replace(/^\./, '')) : info.fieldLabels;
  if (known?.includes(label)) return;
  if (known === undefined) {
    throw badRequest(`"${label}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
  }
  if (info.group === 'batch') throw badRequest(`field label ${JSON.stringify(label)} not supported for ${info.kind}`);
  throw badRequest(`field label not supported: ${label}`);
}

/** Returns the filter of a field selector for a kind; undefined when it selects everything. Throws the server's 400. */
export function fieldSelectorOf(
  info: ResourceInfo,
  requirements: readonly FieldRequirement[],
): ((object: ApiObject) => boolean) | undefined {
  // As in fields.ParseSelector, an empty label with an empty value selects everything.
  const relevant = requirements.filter(({ label, value }) => label !== '' || value !== '');
  for (const { label } of relevant) refuseUnknown(info, label);
  if (relevant.length === 0) return undefined;
  return (object) => relevant.every(({ label, equals, value }) => (textOf(object, label) === value) === equals);
}
