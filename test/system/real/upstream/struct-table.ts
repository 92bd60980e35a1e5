/** Formats the internal structs that differ from their published types, in the notation of `test/cluster/resources/internal-structs.ts`. */

import { goNameOf } from '../../../cluster/resources/internal-structs.ts';
import type { GoForm, GoStruct } from './facts.ts';
import { packageSection } from './type-tables.ts';
import { wrapped } from './wrapped.ts';

const keyOf = ({ package: path, name }: Pick<GoStruct, 'package' | 'name'>): string => `${path}.${name}`;

/** Reports whether a field's name in Go follows from that in JSON; metadata is embedded and has none. */
const isNamedSo = ({ name = '', go }: GoForm['fields'][number]): boolean =>
  name === 'metadata' || goNameOf(name) === go;

/** Returns the table: a line for each struct whose fields have another order or other names than the published type says. */
export function structTable(forms: readonly GoForm[], types: readonly GoStruct[]): string {
  const published = new Map(types.map((type) => [keyOf(type), type.fields.map(({ name }) => name).join()]));
  const lines = forms.flatMap((form) => {
    const fields = form.fields.filter(({ name }) => name !== undefined && name !== '');
    if (fields.every(isNamedSo) && published.get(keyOf(form)) === fields.map(({ name }) => name).join()) return [];
    const words = fields.map((field) => (isNamedSo(field) ? field.name : `${field.name}=${field.go}`));
    return [wrapped([`${packageSection(form.package)}.${form.name}`, ...words].join(' '), /(?<=\S )/)];
  });
  return `\n${lines.sort().join('\n')}\n`;
}
