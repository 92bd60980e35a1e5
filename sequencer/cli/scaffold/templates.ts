/** Templates of scaffolds: their files, and the placeholder words in them. */

import { readFile } from 'node:fs/promises';
import { packagePath } from '../args/config.ts';
import { camelOf, labelOf, pascalOf } from './names.ts';

/** Identities of an integration, each with its requirement for the third party. */
export const identities = {
  tag: 'objects can carry a tag of yours, and be searched by it',
  name: 'names are unique, and create reports a name that exists',
  key: 'create takes an idempotency key: the same key twice creates one object',
  opaque: 'none of these: after a lost response a person decides',
} as const;

/** Models of a controller, each with its purpose. */
export const models = {
  function: 'a plain function of a request',
  phases: 'children of one object, in order, each phase with a condition',
  crud: 'current state, desired state, and a patch between them',
  stepper: 'fixed steps with a registry of resources',
  opinionated: 'add, update and delete, as events',
} as const;

/** Integration to be written. */
export interface IntegrationScaffold {
  readonly what: 'integration';
  readonly name: string;
  readonly identity: keyof typeof identities;
}

/** Controller to be written. */
export interface ControllerScaffold {
  readonly what: 'controller';
  readonly kind: string;
  readonly group: string;
  readonly model: keyof typeof models;
}

/** Plug-in to be written. */
export type Scaffold = IntegrationScaffold | ControllerScaffold;

/** File of a scaffold. */
export interface TemplateFile {
  /** Path below `templates`. */
  readonly from: string;
  /** Path below the new folder. */
  readonly to: string;
}

/** Returns the name of a scaffold's files, `dns-zone` for the kind DnsZone. */
export const stemOf = (scaffold: Scaffold): string =>
  scaffold.what === 'integration' ? scaffold.name : labelOf(scaffold.kind);

/** Returns the files of the plug-in; `page` is the file of its documentation. */
export function plugInFiles(scaffold: Scaffold, page: string): readonly TemplateFile[] {
  const stem = stemOf(scaffold);
  if (scaffold.what === 'integration') {
    const variant = scaffold.identity === 'tag' ? 'acme-box' : `acme-box-${scaffold.identity}`;
    const others = ['-api.ts', '-stand-in.ts', '.test.ts'].map((end) => ({
      from: `integration/acme-box${end}`,
      to: `${stem}${end}`,
    }));
    return [
      { from: `integration/${variant}.ts`, to: `${stem}.ts` },
      ...others,
      { from: 'integration/acme-box.md', to: page },
    ];
  }
  const variant = scaffold.model === 'function' ? 'website-reconciler' : `website-reconciler-${scaffold.model}`;
  return [
    { from: `controller/${variant}.ts`, to: `${stem}-reconciler.ts` },
    ...['.ts', '-controller.ts', '.test.ts'].map((end) => ({ from: `controller/website${end}`, to: `${stem}${end}` })),
    { from: 'controller/website.md', to: page },
  ];
}

/** Returns the files of a project around its first plug-in, except for its package.json. */
export const projectFiles = ({ what }: Scaffold): readonly TemplateFile[] => [
  { from: 'project/tsconfig.json', to: 'tsconfig.json' },
  { from: 'project/gitignore', to: '.gitignore' }, // npm packs no file of that name
  ...(what === 'integration' ? ['sequencer.config.ts', 'workspace.yaml'] : ['demo.ts', 'operator.ts']).map((name) => ({
    from: `${what}/${name}`,
    to: name,
  })),
];

/** Returns the placeholder words of the templates with their replacements. */
function wordsOf(scaffold: Scaffold): ReadonlyMap<string, string> {
  const stem = stemOf(scaffold);
  const spaced = stem.replaceAll('-', ' ');
  if (scaffold.what === 'controller')
    return new Map([
      ['Website', scaffold.kind],
      ['websites', `${scaffold.kind.toLowerCase()}s`],
      ['website', stem],
      ['example.com', scaffold.group],
      ['model `function`', `model \`${scaffold.model}\``],
    ]);
  const pascal = pascalOf(stem);
  return new Map([
    ['acme-box', stem],
    ['acmeBox', camelOf(pascal)],
    ['AcmeBox', pascal],
    ['ACME_BOX', stem.replaceAll('-', '_').toUpperCase()],
    ['Acme Box', spaced.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())],
    ['acme box', spaced],
    ["identity: 'tag',\n  spec", `identity: '${scaffold.identity}',\n  spec`],
    ['identity is `tag`', `identity is \`${scaffold.identity}\``],
  ]);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Replaces the placeholders of a template in one pass, so that replacements are not replaced again. Pure. */
export function filledTemplate(template: string, scaffold: Scaffold): string {
  const words = wordsOf(scaffold);
  const any = new RegExp([...words.keys()].map(escaped).join('|'), 'g');
  return template.replace(any, (word) => words.get(word) ?? word);
}

const textOf = ({ from }: TemplateFile): Promise<string> => readFile(packagePath(`templates/${from}`), 'utf8');

/** Returns the content of a file of a scaffold. */
export const contentOf = async (file: TemplateFile, scaffold: Scaffold): Promise<string> =>
  filledTemplate(await textOf(file), scaffold);

/** Returns the words in the code of a scaffold's templates, without comments and strings: names that its plug-in cannot have. */
export async function reservedNames(scaffold: Scaffold): Promise<ReadonlySet<string>> {
  const files = [...projectFiles(scaffold), ...plugInFiles(scaffold, 'README.md')];
  const code = await Promise.all(files.filter(({ from }) => from.endsWith('.ts')).map(textOf));
  const bare = code.join('\n').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, ' ');
  const words = bare.match(/[A-Za-z_$][\w$]*/g) ?? [];
  return new Set(words.filter((word) => !/acme_?box|website/i.test(word)));
}
