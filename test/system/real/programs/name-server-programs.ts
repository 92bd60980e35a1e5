/** Recipes that configure and start name servers. */

/** Paths and port of one name server on this machine, and the key that may change its zone. */
export interface NameServerLayout {
  /** Folder used by this server only. */
  readonly folder: string;
  readonly port: number;
  /** Zone, without a final dot. */
  readonly zone: string;
  readonly key: TsigKey;
}

/** Shared secret that signs updates and transfers (RFC 8945). */
export interface TsigKey {
  readonly name: string;
  readonly algorithm: 'hmac-sha256';
  /** Base64. */
  readonly secret: string;
}

/** Recipe of one implementation. */
export interface NameServerProgram {
  readonly command: string;
  /** Debian package that contains it. */
  readonly debianPackage: string;
  /** Its files, by path in the folder. */
  files(layout: NameServerLayout): Readonly<Record<string, string>>;
  args(folder: string): readonly string[];
  /** Files that a killed process leaves behind and that prevent a restart. */
  readonly leftovers: readonly string[];
}

/** Initial zone: serial 1, answers cached for a minute at most, nonexistence for a second. */
const zoneFile = `$TTL 60
@ IN SOA ns1 hostmaster 1 3600 600 86400 1
@ IN NS ns1
ns1 IN A 127.0.0.1
`;

const bind: NameServerProgram = {
  command: 'named',
  debianPackage: 'bind9',
  args: (folder) => ['-g', '-4', '-n', '1', '-c', `${folder}/named.conf`],
  leftovers: [],
  files: ({ folder, port, zone, key }) => ({
    zone: zoneFile,
    'named.conf': `
key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };
options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify no; allow-transfer { key "${key.name}"; };
};
controls { };
zone "${zone}" { type primary; file "zone"; update-policy { grant ${key.name} zonesub ANY; }; };
`,
  }),
};

/**
 * Knot DNS. The zone file is only the initial state; updates live in the journal and survive a kill. At least two TCP workers: one
 * half-sent message blocks one.
 */
const knot: NameServerProgram = {
  command: 'knotd',
  debianPackage: 'knot',
  args: (folder) => ['-c', `${folder}/knot.conf`],
  leftovers: ['run/knot.pid'],
  files: ({ folder, port, zone, key }) => ({
    [`zones/${zone}.zone`]: zoneFile,
    'run/.keep': '',
    'db/.keep': '',
    'knot.conf': `
server:
    rundir: ${folder}/run
    listen: 127.0.0.1@${port}
    udp-workers: 1
    tcp-workers: 4
    background-workers: 1
log:
  - target: stderr
    any: info
database:
    storage: ${folder}/db
key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret}
acl:
  - id: key-holder
    key: ${key.name}
    action: [update, transfer]
template:
  - id: default
    storage: ${folder}/zones
    file: "%s.zone"
    zonefile-sync: -1
    zonefile-load: whole
    journal-content: changes
zone:
  - domain: ${zone}
    acl: key-holder
`,
  }),
};

/** Recipes by implementation. */
export const nameServerPrograms = { bind, knot } as const;
