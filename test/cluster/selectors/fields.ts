import type { ResourceInfo } from '../kinds/resource-info.ts';
import { type ApiObject, valueAt } from '../objects/object.ts';
import { badRequest } from '../status.ts';

/** One comparison of a fieldSelector. */
export interface FieldRequirement {
  readonly label: string;
  readonly equals: boolean;
  readonly value: string;
}

const separator = /(?<!\\)(?:\\\\)*,/;

/** Splits at commas that are not escaped. */
const termsOf = (text: string): string[] => text.split(separator).filter((term) => term !== '');

const unescaped = (text: string): string =>
  text.replace(/\\([\\,=])|(\\.?|[,=])/gs, (_all, escaped?: string, wrong?: string) => {
    if (escaped !== undefined) return escaped;
    if (wrong!.startsWith('\\')) throw badRequest(`invalid field selector: invalid escape sequence: ${wrong}`);
    throw badRequest(`invalid field selector: unescaped character in value: ${wrong!.charCodeAt(0)}`);
  });

/** The comparisons of a fieldSelector. Throws the server's 400. */
export function fieldRequirementsOf(text: string): FieldRequirement[] {
  return termsOf(text).map((term) => {
    const match = /^((?:[^=!]|!(?!=))*)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    return { label: match[1]!, equals: match[2] !== '!=', value: unescaped(match[3]!) };
  });
}

/** Whether objects of any such kind can be selected by a label of their metadata. */
const isOfMetadata = ({ custom, namespaced }: ResourceInfo, label: string): boolean =>
  label === 'metadata.name' || (label === 'metadata.namespace' && (custom === undefined || namespaced));

/** Labels whose path in the object is another. */
const paths: Record<string, string> = { 'spec.host': 'spec.nodeName', source: 'source.component' };

/** Labels that another field stands in for where theirs is empty. */
const substitutes: Record<string, string> = { source: 'reportingComponent' };

/** What a missing field is compared as, where that is not the empty string. */
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

/** A fieldSelector for objects of a kind; undefined when it selects everything. Throws the server's 400. */
export function fieldSelectorOf(
  info: ResourceInfo,
  requirements: readonly FieldRequirement[],
): ((object: ApiObject) => boolean) | undefined {
  for (const { label } of requirements) refuseUnknown(info, label);
  if (requirements.length === 0) return undefined;
  return (object) => requirements.every(({ label, equals, value }) => (textOf(object, label) === value) === equals);
}
