/** Warnings for conflicting ports of containers. */

import type { Fields } from '../../../../apimachinery/object.ts';
import { listOf } from '../../../../apimachinery/validation/errors.ts';
import { containersOf } from '../containers-of.ts';

interface PortUse {
  readonly path: string;
  readonly port: Fields;
}

const hostOf = ({ hostIP = '', hostPort = 0 }: Fields) => ({ address: String(hostIP), number: Number(hostPort) });

/** Returns the kind of conflict between two uses of a port; undefined without one. */
function clashOf(one: Fields, other: Fields): string | undefined {
  const [a, b] = [hostOf(one), hostOf(other)];
  if (a.address === b.address && a.number === b.number) return 'duplicate';
  if (a.number === 0 || b.number === 0) return 'overlapping';
  return a.number === b.number && (a.address === '') !== (b.address === '') ? 'dangerously ambiguous' : undefined;
}

/** Formats a port as Go does. */
const shown = ({ name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' }: Fields): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;

function* clashWarnings(places: readonly PortUse[]): Generator<string> {
  const known = new Map<string, PortUse[]>();
  for (const place of places) {
    const { path, port } = place;
    if (port.hostIP && !port.hostPort) yield `${path}: hostIP set without hostPort: ${shown(port)}`;
    const key = `${port.containerPort}/${port.protocol}`;
    const others = known.get(key) ?? [];
    for (const other of others) {
      const clash = clashOf(port, other.port);
      if (clash !== undefined) yield `${path}: ${clash} port definition with ${other.path}`;
    }
    known.set(key, [...others, place]);
  }
}

function* nameWarnings(places: readonly PortUse[]): Generator<string> {
  const known = new Map<unknown, string>();
  for (const { path, port } of places) {
    if (!port.name) continue;
    const other = known.get(port.name);
    if (other === undefined) known.set(port.name, path);
    else {
      const effect = `services and probes that select ports by name will use ${other}`;
      yield `${path}: duplicate port name "${port.name}" with ${other}, ${effect}`;
    }
  }
}

/** Returns the warnings for conflicting ports of a pod's containers. */
export function* portWarnings(spec: Fields, path: string): Generator<string> {
  const places = [...containersOf(spec, path)].flatMap(([{ ports }, at]) =>
    listOf(ports).map((port, index) => ({ path: `${at}.ports[${index}]`, port })),
  );
  if (places.length === 0) return;
  yield* clashWarnings(places);
  yield* nameWarnings(places);
}
