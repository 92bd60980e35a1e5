/** Connections of configs: a bounded number, each with its own credential, limits and circuit breaker. */

import { cutText, rulesOf } from '../../sdk/host/index.ts';
import { type Clock, canonicalJson, errorOf, type Integration, SecretRegistry } from '../../sdk/index.ts';
import { type AnyConfig, configText } from './config-integration-name.ts';
import { type ConfigProblem, readConfig, type SecretOf, versionOf } from './config-values.ts';
import type { OpenedIntegration, TenantIntegrations } from './tenant-integration.ts';

/** Connected integration of one config. */
export interface ConfigConnection {
  readonly integration: Integration;
  /** Credentials to redact in reports about this integration only. */
  readonly secrets: SecretRegistry;
  /** Calls the integration; the connection stays open during the call. */
  during<T>(call: () => Promise<T>): Promise<T>;
}

/** Options of {@link Connections}. */
export interface ConnectionsOptions {
  readonly types: TenantIntegrations;
  readonly secretOf: SecretOf;
  /** Secrets of the process, redacted too. */
  readonly secrets: SecretRegistry;
  readonly clock: Clock;
  /** Maximum number of connections; beyond it idle ones are closed, first those of the namespace with the most connections. @default 100 */
  readonly maxConnections?: number;
  /** ms after which an unused connection is closed. @default 600 000 */
  readonly idleAfter?: number;
  /** Receives the error of a `close`. */
  readonly onCloseError?: (error: unknown) => void;
}

class OpenConnection implements ConfigConnection {
  readonly integration: Integration;
  readonly secrets: SecretRegistry;
  readonly version: string;
  readonly namespace: string;
  /** Monotonic ms. */
  usedAt = 0;
  #calls = 0;
  #isClosed = false;
  readonly #close: () => void;

  constructor(
    { integration, close }: OpenedIntegration,
    made: Pick<OpenConnection, 'secrets' | 'version' | 'namespace'>,
    onCloseError: (error: unknown) => void,
  ) {
    const { limits } = integration;
    this.integration = { ...integration, ...(limits && { limits: { ...limits } }) }; // limiters are kept by this object
    this.secrets = made.secrets;
    this.version = made.version;
    this.namespace = made.namespace;
    this.#close = () => void (async () => close())().catch(onCloseError);
  }

  get isIdle(): boolean {
    return this.#calls === 0;
  }

  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      return await call();
    } finally {
      this.#calls -= 1;
      if (this.#isClosed && this.isIdle) this.#close();
    }
  }

  /** Closes it as soon as no call runs. */
  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.isIdle) this.#close();
  }
}

/** Describes how a created integration differs from its type; undefined when it matches. */
function mistakeIn({ integration }: OpenedIntegration, config: AnyConfig, types: TenantIntegrations) {
  const { type } = config.spec;
  const tenant = types[type]!;
  const { condition, owns = [], outputs = {} } = tenant;
  if (integration.name !== type)
    return `create of integration type ${type} returned integration ${integration.name}: both need the same name`;
  if (integration.condition !== condition)
    return `create of integration type ${type} returned one for ${integration.condition}, not ${condition}`;
  const kind = integration.owns?.find(
    (one) => !owns.some(({ group, plural }) => group === one.group && plural === one.plural),
  );
  if (kind)
    return `create of integration type ${type} returned one that owns ${kind.kind}: name it in owns of the type`;
  const output = Object.keys(integration.outputs ?? {}).find((name) => !Object.hasOwn(outputs, name));
  if (output !== undefined)
    return `create of integration type ${type} returned one with the output ${output}: name it in outputs of the type`;
  const granted = new Set(rulesOf(tenant).map((rule) => canonicalJson(rule)));
  const rule = rulesOf(integration).find((one) => !granted.has(canonicalJson(one)));
  if (rule === undefined) return undefined;
  const rights = `${rule.verbs.join(', ')} of ${rule.resources.join(', ')}`;
  return `create of integration type ${type} returned one that needs the rights ${rights}: name them in permissions of the type`;
}

/** Connections by config. A replaced or closed connection completes its calls first. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #connections = new Map<string, OpenConnection>();
  #cancelSweep: (() => void) | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Returns the connection of a config, recreated after a change of its spec or a Secret; or the problem that prevents it. */
  of(config: AnyConfig): ConfigConnection | ConfigProblem {
    const { secretOf, clock } = this.#options;
    const name = configText(config);
    const version = versionOf(config, secretOf);
    const known = this.#connections.get(name);
    const live = known?.version === version ? known : this.#open(config, version);
    if (live !== known) known?.end();
    if (!(live instanceof OpenConnection)) {
      this.#connections.delete(name);
      return live;
    }
    live.usedAt = clock.monotonic();
    this.#connections.set(name, live);
    this.#closeIdle(live);
    this.#scheduleSweep();
    return live;
  }

  /** Returns the problem that prevents a connection of a config; undefined without one. No connection is kept. */
  problemOf(config: AnyConfig): ConfigProblem | undefined {
    const version = versionOf(config, this.#options.secretOf);
    if (this.#connections.get(configText(config))?.version === version) return undefined;
    const opened = this.#open(config, version);
    if (!(opened instanceof OpenConnection)) return opened;
    opened.end();
    return undefined;
  }

  /** Closes all as their calls end. */
  close(): void {
    this.#cancelSweep?.();
    for (const live of this.#connections.values()) live.end();
    this.#connections.clear();
  }

  #open(config: AnyConfig, version: string): OpenConnection | ConfigProblem {
    const { types, secretOf, onCloseError = () => undefined } = this.#options;
    const values = readConfig(config, { types, secretOf });
    if ('problem' in values) return values;
    const secrets = new SecretRegistry(this.#options.secrets);
    secrets.add(...Object.values(values.secrets));
    try {
      const created = values.tenant.create(values.options, values.secrets as never, values.mutableOptions);
      const opened = 'integration' in created ? created : { integration: created, close: () => undefined };
      secrets.add(...(opened.integration.secrets ?? []));
      const live = new OpenConnection(
        opened,
        { secrets, version, namespace: config.metadata.namespace ?? '' },
        onCloseError,
      );
      const mistake = mistakeIn(opened, config, types);
      if (mistake === undefined) return live;
      live.end();
      return { reason: 'TypeInvalid', problem: mistake };
    } catch (error) {
      return { reason: 'Refused', problem: cutText(secrets.redact(errorOf(error).message), 512) };
    }
  }

  #end(name: string, live: OpenConnection): void {
    this.#connections.delete(name);
    live.end();
  }

  /** Closes idle connections beyond the limit: the longest unused one of the namespace that has the most, so that a tenant displaces its own first. */
  #closeIdle(keep: OpenConnection): void {
    const { maxConnections = 100 } = this.#options;
    while (this.#connections.size > maxConnections) {
      const idle = [...this.#connections].filter(([, live]) => live !== keep && live.isIdle);
      const groups = [...Map.groupBy(idle, ([, live]) => live.namespace).values()];
      const [largest] = groups.toSorted((a, b) => b.length - a.length);
      const [oldest] = largest?.toSorted(([, a], [, b]) => a.usedAt - b.usedAt) ?? [];
      if (oldest === undefined) return;
      this.#end(...oldest);
    }
  }

  #scheduleSweep(): void {
    const { clock, idleAfter = 600_000 } = this.#options;
    this.#cancelSweep ??= clock.after(idleAfter, () => {
      this.#cancelSweep = undefined;
      const before = clock.monotonic() - idleAfter;
      for (const [name, live] of this.#connections) if (live.isIdle && live.usedAt <= before) this.#end(name, live);
      if (this.#connections.size > 0) this.#scheduleSweep();
    });
  }
}
