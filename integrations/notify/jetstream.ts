/** Messages to a JetStream stream, by the packages `@nats-io/transport-node` and `@nats-io/jetstream`. */

import type { NatsConnection } from '@nats-io/transport-node';
import { aborted, DefiniteError, messageOf } from '../../sdk/index.ts';
import { shortLine } from '../quoted-text.ts';
import { vendorLibrary } from '../vendor-library.ts';
import { connectGuarded } from './nats-transport.ts';

/** Message to a stream. */
export interface StreamMessage {
  readonly subject: string;
  /** `Nats-Msg-Id`: a second message with the same one is dropped within the stream's duplicate window. */
  readonly id: string;
  /** JSON */
  readonly payload: string;
}

/** Message in its stream. */
export interface StoredMessage {
  /** The same for all messages of one id within the duplicate window. */
  readonly sequence: number;
}

/** Operations on a server. */
export interface JetStream {
  /**
   * Sends a message once, and waits until it is stored. @throws DefiniteError when it is not, another Error when that is unknown
   */
  publish(message: StreamMessage, signal: AbortSignal): Promise<StoredMessage>;
}

/** Credential of a NATS user; none at a server without authorization. */
export interface NatsCredential {
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
  /** Text of a `.creds` file. */
  readonly creds?: string;
  /** Seed of an nkey, `SU…`. */
  readonly nkey?: string;
}

/** Certificates as PEM. */
export interface NatsTls {
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
  /** Certificate and key of the client, where the server asks for one. */
  readonly cert?: string;
  readonly key?: string;
}

/** Address and credential of a server, and the stream of the messages. */
export interface JetStreamOptions {
  readonly servers: readonly string[];
  readonly credential: NatsCredential;
  /** With TLS always; undefined: where the server asks for it. */
  readonly tls: NatsTls | undefined;
  readonly stream: string;
  /** ms for which the stream has to remember ids. */
  readonly duplicateWindow: number;
  /** ms until a connection, or a message, is given up. */
  readonly deadline: number;
}

const entryPoint = 'integrations/notify/nats';
const transport = () =>
  vendorLibrary('@nats-io/transport-node', entryPoint, async () => import('@nats-io/transport-node'));
const jetStreamLibrary = () =>
  vendorLibrary('@nats-io/jetstream', entryPoint, async () => import('@nats-io/jetstream'));

/** Names of the errors after which nothing is stored: the server reports it, or nothing was sent. */
const refusals: ReadonlySet<string> = new Set([
  'JetStreamApiError',
  'StreamNotFoundError',
  'JetStreamNotEnabled',
  'InvalidArgumentError',
  'InvalidSubjectError',
  'PermissionViolationError',
  'AuthorizationError',
]);

const textOf = (error: unknown): string => shortLine(messageOf(error));

const advice: Readonly<Record<string, string>> = {
  JetStreamNotEnabled: 'no stream takes this subject, or JetStream is off',
  PermissionViolationError: 'give the user the rights in the README of this integration',
};

/** Returns the error to throw for a message that the library could not send. */
export function publishErrorOf(error: unknown): Error {
  if (error instanceof DefiniteError) return error;
  const { name, cause } = error as Error;
  const inner = cause instanceof Error ? cause.name : '';
  const refusal = [name, inner].find((one) => refusals.has(one));
  const next = advice[refusal ?? ''];
  const text = `NATS: ${textOf(error)}${next === undefined ? '' : `: ${next}`}`;
  return refusal === undefined ? new Error(text, { cause: error }) : new DefiniteError(text, { cause: error });
}

/** Opens a connection that is never opened again by itself: what it could not send would be sent later. @throws DefiniteError */
async function open({ servers, credential, tls, deadline }: JetStreamOptions): Promise<NatsConnection> {
  const { credsAuthenticator, nkeyAuthenticator } = await transport();
  const { token, user, password, creds, nkey } = credential;
  const encoder = new TextEncoder();
  try {
    return await connectGuarded({
      servers: [...servers],
      name: 'workspace-sequencer',
      reconnect: false,
      ignoreClusterUpdates: true,
      timeout: deadline,
      ...(token !== undefined && { token }),
      ...(user !== undefined && { user, ...(password !== undefined && { pass: password }) }),
      ...(creds !== undefined && { authenticator: credsAuthenticator(encoder.encode(creds)) }),
      ...(nkey !== undefined && { authenticator: nkeyAuthenticator(encoder.encode(nkey)) }),
      ...(tls !== undefined && { tls: { ...tls } }),
    });
  } catch (error) {
    throw new DefiniteError(`NATS: no connection to ${servers.join(', ')}: ${textOf(error)}`, { cause: error });
  }
}

/** Checks that the stream remembers ids for long enough. @throws DefiniteError */
async function checkWindow(
  { jetstreamManager }: typeof import('@nats-io/jetstream'),
  connection: NatsConnection,
  { stream, duplicateWindow, deadline }: JetStreamOptions,
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: deadline });
  const { config } = await manager.streams.info(stream).catch((error: unknown) => {
    throw new DefiniteError(`${publishErrorOf(error).message}: nothing was sent to the stream ${stream}`, {
      cause: error,
    });
  });
  const window = config.duplicate_window / 1_000_000;
  if (window < duplicateWindow)
    throw new DefiniteError(
      `NATS: the stream ${stream} remembers ids for ${window} ms: set its duplicate_window to ${duplicateWindow} ms or more, or option duplicateWindow to less`,
    );
}

/** Creates a client. Each message has a connection of its own, which ends with it or with its signal: none is left open, and nothing is sent again. */
export const jetStreamAt = (options: JetStreamOptions): JetStream => ({
  async publish({ subject, id, payload }, signal) {
    const library = await jetStreamLibrary();
    const opening = open(options);
    await Promise.race([opening, aborted(signal)]);
    if (signal.aborted) {
      void opening.then((late) => late.close()).catch(() => undefined);
      throw signal.reason;
    }
    const connection = await opening;
    const { stream, deadline } = options;
    const ended = aborted(signal).then(() => Promise.reject(signal.reason));
    try {
      await Promise.race([checkWindow(library, connection, options), ended]);
      const sending = library.jetstream(connection).publish(subject, payload, {
        msgID: id,
        expect: { streamName: stream },
        timeout: deadline, // it tries once, unless it is reported otherwise
      });
      const { seq } = await Promise.race([sending, ended]);
      return { sequence: seq };
    } catch (error) {
      throw publishErrorOf(error);
    } finally {
      await connection.close();
    }
  },
});
