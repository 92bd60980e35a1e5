/** Front of a cluster, which survives a restore: interceptors, faults, watches, authentication. */

import type { Dispatcher } from 'undici';
import type { ApiServer } from './api-server.ts';
import type { AuditLog } from './audit/audit.ts';
import { auditEntryOf } from './audit/entry.ts';
import { createAuthenticator } from './authn/authenticate.ts';
import { anonymous } from './authn/impersonation.ts';
import { createFaults } from './faults/create-faults.ts';
import { createOpenWatches, type OpenWatches } from './faults/open-watches.ts';
import type { ApiRequest, ApiResponse, Handler, User } from './requests/message.ts';
import type { ServerContext } from './server/server-context.ts';
import { createDispatcher } from './transport/dispatcher.ts';

/** Middleware: sees a request before the server does, and its answer before the client does. */
export type Interceptor = (request: ApiRequest, next: Handler) => Promise<ApiResponse>;

/** Interceptors, log and watches of requests. */
interface Observers {
  readonly interceptors: ReadonlySet<Interceptor>;
  readonly log: AuditLog;
  readonly watches: OpenWatches;
}

/** Wraps a handler in the interceptors, the last one outermost, and records each answer. */
function withInterceptors(
  core: Handler,
  server: () => ServerContext,
  { interceptors, log, watches }: Observers,
): Handler {
  return async (request) => {
    const { clock, store } = server();
    const [at, before] = [clock.now(), store.revision];
    const record = (response?: ApiResponse) =>
      log.add(auditEntryOf(request, { response, at, before, after: store.revision }));
    const chain = [...interceptors].reduce<Handler>((next, interceptor) => (one) => interceptor(one, next), core);
    try {
      const response = await chain(request);
      record(response);
      return watches.follow(request, response);
    } catch (error) {
      record();
      throw error;
    }
  };
}

/** Creates the parts that survive a restore: interceptors, faults, watches, authentication. */
export function createFront(core: () => ApiServer, log: AuditLog) {
  const { clock } = core().context;
  const interceptors = new Set<Interceptor>();
  const watches = createOpenWatches(clock);
  const faultInjection = createFaults(() => core().context, watches);
  const inner = faultInjection.handle((request) => core().handle(request));
  const handle = withInterceptors(inner, () => core().context, { interceptors, log, watches });
  const authenticate = createAuthenticator({
    userOf: (...token) => core().context.tokens.userOf(...token),
    anonymous: () => (core().context.authorizer.isOpen ? undefined : anonymous),
  });
  const dispatcherAs = (user: User): Dispatcher => createDispatcher({ handle, user, authenticate });
  const intercept = (interceptor: Interceptor): (() => void) => {
    interceptors.add(interceptor);
    return () => interceptors.delete(interceptor);
  };
  const { faults } = faultInjection;
  return { clock, intercept, audit: log.audit, watches, faults, handle, authenticate, dispatcherAs };
}
