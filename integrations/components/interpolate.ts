import type { Checked } from './dependencies.ts';

/** `host:port` by component and network. */
export type Networks = ReadonlyMap<string, ReadonlyMap<string, string>>;

const references = /\$\{components::([^}]*)\}/g;
const wellFormed = /^([^.]+)\.networks\.([^.]+)$/;

function lookUp(body: string, networks: Networks): string | undefined {
  const [, component = '', network = ''] = wellFormed.exec(body) ?? [];
  return networks.get(component)?.get(network);
}

function unknown(body: string, networks: Networks): string {
  if (!wellFormed.test(body)) return `\${components::${body}} must read \${components::NAME.networks.NETWORK}`;
  const known = [...networks].flatMap(([component, ports]) =>
    [...ports.keys()].map((network) => `${component}.networks.${network}`),
  );
  const list = known.length === 0 ? 'no component has a network' : `known are ${known.join(', ')}`;
  return `\${components::${body}} stands for nothing; ${list}`;
}

/** Where in a value, for people: `containers[0].env[1].value`. */
const within = (path: string, member: string | number): string => {
  if (typeof member === 'number') return `${path}[${member}]`;
  return path === '' ? member : `${path}.${member}`;
};

/** Walks a value; mistakes go to `mistakes`, in the order they are met. */
function replaced(
  value: unknown,
  path: string,
  scope: { readonly networks: Networks; readonly mistakes: string[] },
): unknown {
  if (typeof value === 'string')
    return value.replaceAll(references, (whole, body: string) => {
      const found = lookUp(body, scope.networks);
      if (found === undefined) scope.mistakes.push(`${path}: ${unknown(body, scope.networks)}`);
      return found ?? whole;
    });
  if (Array.isArray(value)) return value.map((item, index) => replaced(item, within(path, index), scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaced(member, within(path, name), scope)]),
  );
}

/**
 * A template with every `${components::NAME.networks.NETWORK}` in its strings replaced by `host:port`; keys and everything else stay.
 * A reference to what is not there is a mistake, whose reason starts with the path to it.
 */
export function interpolate(template: object, networks: Networks): Checked<object> {
  const mistakes: string[] = [];
  const value = replaced(template, '', { networks, mistakes }) as object;
  const [reason] = mistakes;
  return reason === undefined ? { kind: 'value', value } : { kind: 'mistake', reason };
}
