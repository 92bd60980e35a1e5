/** Runs a real name server that holds the DNS names of all workspaces. */

import type { ExecutionContext } from 'ava';
import type { Rfc2136DnsOptions } from '../../../../integrations/rfc2136/options.ts';
import { type NameServerOptions, startNameServer } from '../../real/programs/name-server.ts';

/** A real name server that holds the names of all workspaces. */
export interface Names {
  readonly options: Rfc2136DnsOptions;
  readonly zone: string;
  /** Published full names, sorted; a name with two records appears twice. */
  published(): Promise<readonly string[]>;
  /** Full names that carry the mark of an owner, sorted. */
  marked(): Promise<readonly string[]>;
}

/** Implementation of the name server, and the longest duration of its requests. */
export interface NamesOptions
  extends Pick<NameServerOptions, 'implementation'>,
    Required<Pick<Rfc2136DnsOptions, 'fudge' | 'deadline'>> {}

const zone = 'example.test';
const mark = '_op-owner.';

/** Starts one for the duration of a test. */
export async function startNames(t: ExecutionContext, options: NamesOptions): Promise<Names> {
  const { implementation, fudge, deadline } = options;
  const server = await startNameServer({ implementation, zone });
  t.teardown(() => server.close());
  const { host, port, key } = server;
  const namesOf = async (wanted: string): Promise<readonly string[]> => {
    const records = await server.transfer();
    const found = records.filter(({ name, type }) => type === wanted && name !== `ns1.${zone}`);
    return found.map(({ name }) => name).sort();
  };
  return {
    zone,
    options: { server: { host, port }, key, target: '192.0.2.1', fudge, deadline },
    published: () => namesOf('A'),
    marked: async () =>
      (await namesOf('TXT')).filter((name) => name.startsWith(mark)).map((name) => name.slice(mark.length)),
  };
}
