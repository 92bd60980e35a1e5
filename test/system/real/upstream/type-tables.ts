/** Formats the tables of built-in types, in the notation of `test/cluster/resources/type-table.ts`. */

import type { GoField, GoStruct, GoType } from './facts.ts';
import { wrapped } from './wrapped.ts';

/** Line of a table: a struct or an enum. */
interface Line {
  readonly section: string;
  readonly name: string;
  readonly text: string;
  /** Structs and enums that it refers to, as its section names them. */
  readonly uses: readonly string[];
}

const letters: Readonly<Record<string, string>> = {
  string: 's',
  int32: 'i',
  int64: 'l',
  bool: 'b',
  double: 'd',
  quantity: 'q',
  time: 't',
  microTime: 'u',
  intOrString: 'o',
  bytes: 'y',
};

/** Returns the section of a package, such as `core`, `autoscaling2` and `types`. */
export function packageSection(path: string): string {
  const [, group, version] = /([^/]+)\/v(\d)$/.exec(path) ?? [];
  return group === undefined ? path.split('/').at(-1)! : `${group}${version === '1' ? '' : version}`;
}

const sectionOf = (type: GoStruct): string => (type.page === true ? 'pages' : packageSection(type.package));

const keyOf = ({ package: path = '', go = '' }: GoType): string => `${path}.${go}`;

/** Returns the mark for how Go encodes an empty value. */
const markOf = ({ omitEmpty, omitZero, pointer }: GoField): string =>
  `${omitEmpty === true || omitZero === true ? '' : '+'}${omitZero === true ? '-' : ''}${pointer === true ? '?' : ''}`;

/** Returns the default; the zero value only where it does not go without saying. */
function defaultOf({ default: value, zeroDefault, omitEmpty, pointer }: GoField): string {
  if (value !== undefined) return `=${value}`;
  return zeroDefault === true && (omitEmpty === true || pointer === true) ? '=' : '';
}

/** Returns what follows the type: patches, the list type and the default. */
function endOf(field: GoField): string {
  const { patchStrategy = [], mergeKey = '', atomic, granular, set, mapKeys } = field;
  const patch = `${patchStrategy.includes('merge') ? `~${mergeKey}` : ''}${patchStrategy.includes('retainKeys') ? '^' : ''}`;
  const whole = atomic === true ? '!' : granular === true ? '%' : '';
  const list = set === true ? '@' : mapKeys === undefined ? '' : `@${mapKeys.join(',')}`;
  return `${patch}${whole}${list}${defaultOf(field)}`;
}

/** Section whose line is being written. */
interface TableSection {
  readonly section: string;
  /** Sections of all structs, by package and name. */
  readonly sections: ReadonlyMap<string, string>;
  readonly uses: Set<string>;
}

/** Returns a type's name as the section has it. */
function named({ section, sections, uses }: TableSection, type: GoType): string {
  const { go = '', package: path = '' } = type;
  const own = sections.get(keyOf(type)) ?? packageSection(path);
  if (own !== section) return `${own}.${go}`;
  uses.add(go);
  return go;
}

function unnamed(place: TableSection, { is, of, key, go }: GoType): string {
  if (of === undefined) return letters[is] ?? is;
  if (is === 'list') return `[${notation(place, of)}]`;
  const keyName = key?.go === undefined || go !== undefined ? '' : `<${named(place, key)}>`;
  return `{${keyName}${notation(place, of)}}`;
}

function notation(place: TableSection, type: GoType): string {
  if (type.is === 'struct') return named(place, type);
  return `${unnamed(place, type)}${type.go === undefined ? '' : `<${named(place, type)}>`}`;
}

function fieldWord(place: TableSection, field: GoField): string {
  const number = field.protobuf === undefined ? '' : `/${field.protobuf}`;
  const marks = `${field.required === true ? '*' : ''}${markOf(field)}`;
  return `${field.name}${number}${marks}:${notation(place, field.type)}${endOf(field)}`;
}

function structLine(type: GoStruct, sections: TableSection['sections']): Line {
  const place: TableSection = { section: sectionOf(type), sections, uses: new Set() };
  const head = `${type.name}${type.atomic === true ? '!' : ''}${type.object === true ? ' object' : ''}`;
  const words = [head, ...type.fields.map((field) => fieldWord(place, field))];
  return { section: place.section, name: type.name, text: wrapped(words.join(' '), /(?<= )/), uses: [...place.uses] };
}

/** Returns the type and those of its items or members. */
const levelsOf = (type: GoType): readonly GoType[] => [type, ...(type.of === undefined ? [] : levelsOf(type.of))];

/** Formats all structs, and the enums of their fields. */
function linesOf(types: readonly GoStruct[]): readonly Line[] {
  const sections = new Map(types.map((type) => [`${type.package}.${type.name}`, sectionOf(type)]));
  const enums = new Map<string, Line>();
  for (const type of types.flatMap(({ fields }) => fields.flatMap((field) => levelsOf(field.type)))) {
    const { package: path = '', go: name = '', enum: values } = type;
    if (values === undefined) continue;
    const text = wrapped(`${name} =${values.join('|')}`, /(?<=\|)/);
    enums.set(keyOf(type), { section: packageSection(path), name, text, uses: [] });
  }
  const lines = [...types.map((type) => structLine(type, sections)), ...enums.values()];
  return lines.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the lines with these names and all that they refer to. */
function reachedFrom(names: readonly string[], lines: readonly Line[]): readonly Line[] {
  const reached = new Set(names);
  const byName = new Map(lines.map((line) => [line.name, line]));
  for (const name of reached) for (const used of byName.get(name)?.uses ?? []) reached.add(used);
  return lines.filter(({ name }) => reached.has(name));
}

/** Table of a section, or of a part of one, as an exported text. */
interface Table {
  readonly name: string;
  readonly comment: string;
  readonly lines: readonly Line[];
}

/** Returns the package as OpenAPI documents name it. */
const openapiName = (path: string): string => path.replace('k8s.io/', 'io/k8s/').replaceAll('/', '.');

const notationOf = 'in the notation of `resources/type-table.ts`';
const generated = 'Made by `npm run generate:upstream`.';

function exported({ name, comment, lines }: Table): string {
  const text = lines.map((line) => line.text).join('\n');
  if (/[`\\]|\$\{/.test(text)) throw new Error(`${name} cannot be written as a template literal`);
  return `/** ${comment} */\nexport const ${name} = \`\n${text}\n\`;\n`;
}

/** Formats a file of one table or of several. */
function fileOf(...tables: readonly Table[]): string {
  const [only, other] = tables;
  if (only !== undefined && other === undefined) {
    return exported({ ...only, comment: `${only.comment} ${notationOf}. ${generated}` });
  }
  const texts = tables.map((table) => exported({ ...table, comment: `${table.comment}.` }));
  return [`/** Types of all versions of the group, ${notationOf}. ${generated} */\n`, ...texts].join('\n');
}

/** Returns the tables of the core group, in three files. */
function coreFiles(lines: readonly Line[]): Readonly<Record<string, string>> {
  const volumes = reachedFrom(['Volume', 'PersistentVolumeSpec', 'PersistentVolumeClaimTemplate'], lines);
  const pods = reachedFrom(['PodSpec', 'PodStatus'], lines).filter((line) => !volumes.includes(line));
  const others = lines.filter((line) => !volumes.includes(line) && !pods.includes(line));
  return {
    'core/api-types.ts': fileOf({ name: 'coreTypes', comment: 'Other types of the core group', lines: others }),
    'core/pods/pod-types.ts': fileOf({ name: 'corePodTypes', comment: 'Types of pods', lines: pods }),
    'core/volumes/volume-types.ts': fileOf({ name: 'coreVolumeTypes', comment: 'Types of volumes', lines: volumes }),
  };
}

/** Returns the tables of all sections, by their names. */
export function sectionTables(types: readonly GoStruct[]): Readonly<Record<string, string>> {
  const sections = Map.groupBy(linesOf(types), ({ section }) => section);
  return Object.fromEntries([...sections].map(([name, lines]) => [name, lines.map(({ text }) => text).join('\n')]));
}

/** Returns the files of the tables, by their path below `test/cluster/apis`. */
export function typeTables(types: readonly GoStruct[]): Readonly<Record<string, string>> {
  const lines = linesOf(types);
  const tableOf = (section: string, comment: string): Table => ({
    name: `${section}Types`,
    comment,
    lines: lines.filter((line) => line.section === section),
  });
  const files: Record<string, Table[]> = {};
  const packages = new Map(types.filter((type) => type.page !== true).map((type) => [sectionOf(type), type.package]));
  for (const [section, path] of packages) {
    const file = section === 'meta' ? 'meta-types.ts' : `${section.replace(/\d$/, '')}/api-types.ts`;
    files[file] = [...(files[file] ?? []), tableOf(section, `Types of \`${openapiName(path)}\``)];
  }
  const { 'core/api-types.ts': [core] = [], ...groups } = files;
  return {
    ...Object.fromEntries(Object.entries(groups).map(([path, tables]) => [path, fileOf(...tables)])),
    ...coreFiles(core?.lines ?? []),
    'page-types.ts': fileOf(tableOf('pages', 'Types of answers that are not stored, of several packages,')),
  };
}
