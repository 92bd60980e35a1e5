import type { ApiRequest, ApiResponse, Handler } from './message.ts';
import { jsonResponse } from './represent.ts';

/** What administrators may do to the server itself, by name; what they answer is sent as JSON. */
export type ControlActions = Readonly<Record<string, () => object | Promise<object>>>;

const prefix = '/control/';
const administrators = 'system:masters';

async function act(actions: ControlActions, { method, url, user }: ApiRequest): Promise<ApiResponse> {
  const refuse = (code: number, reason: string, message: string): ApiResponse =>
    jsonResponse(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
  if (!user.groups.includes(administrators)) {
    return refuse(
      403,
      'Forbidden',
      `control is for members of ${administrators}, not for ${JSON.stringify(user.name)}`,
    );
  }
  const name = url.slice(prefix.length).split('?', 1)[0]!;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    const known = Object.keys(actions).join(', ');
    return refuse(404, 'NotFound', `there is no control ${JSON.stringify(name)}, but ${known}`);
  }
  if (method !== 'POST') return refuse(405, 'MethodNotAllowed', 'control is by POST');
  return jsonResponse(200, await action());
}

/** Serves `POST /control/NAME` besides the API. */
export const withControl =
  (handle: Handler, actions: ControlActions): Handler =>
  (request) =>
    request.url.startsWith(prefix) ? act(actions, request) : handle(request);
