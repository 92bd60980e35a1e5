/** Reads and changes the routes of a workspace in the cluster. */

import { AlreadyExistsError, NotFoundError, type ProviderController } from '../../sdk/index.ts';
import { type RefusedAction, refusedAction } from '../refused-action.ts';
import { type RouteKind, type RouteObject, routeKinds } from './kinds.ts';
import { isCurrentRoute, type ObservedRoutes, patchTo, type RouteAction, routeLabel } from './objects.ts';

async function observeKind(controller: ProviderController, kind: RouteKind): Promise<ObservedRoutes> {
  try {
    const all = await controller.owned<RouteObject>(routeKinds[kind]);
    return { [kind]: all.filter(({ metadata }) => metadata.labels?.[routeLabel] !== undefined) };
  } catch (error) {
    if (error instanceof NotFoundError) return {};
    throw error;
  }
}

/** Reads the routes of the workspace of these kinds; a kind that the cluster does not serve is absent. */
export const observeRoutes = async (
  controller: ProviderController,
  kinds: readonly RouteKind[],
): Promise<ObservedRoutes> =>
  Object.assign({}, ...(await Promise.all(kinds.map((kind) => observeKind(controller, kind)))));

/** Executes an action. @returns the resulting route; undefined after a deletion */
async function act(controller: ProviderController, action: RouteAction): Promise<RouteObject | undefined> {
  const kind = routeKinds[action.kind];
  if (action.do === 'delete') {
    const { name, uid } = action.there.metadata;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    const left = await controller.delete<RouteObject>(kind, { name }, preconditions);
    return left === 'gone' ? undefined : action.there;
  }
  const { route } = action;
  const live = action.do === 'patch' ? action.there : await controller.create<RouteObject>(kind, route);
  if (isCurrentRoute(route, live)) return live;
  const { name } = route.metadata;
  return controller.patch<RouteObject>(kind, { name }, { type: 'merge', value: patchTo(route, live) });
}

/** Returns the refusal that an error of an action is. @throws any other error */
function refusalOf(action: RouteAction, error: unknown): RefusedAction {
  if (error instanceof AlreadyExistsError && action.do === 'create') {
    const { name } = action.route.metadata;
    return {
      reason: `${action.kind} ${name} exists and is not this workspace’s: delete or rename it`,
      isRetryable: true,
    };
  }
  return refusedAction(error);
}

/** Executes actions in order, those after a refused one too. @returns the routes afterwards, and the first refusal */
export async function changeRoutes(
  controller: ProviderController,
  observed: ObservedRoutes,
  actions: readonly RouteAction[],
): Promise<{ readonly routes: readonly RouteObject[]; readonly refusal: RefusedAction | undefined }> {
  const routes = new Map(
    Object.entries(observed).flatMap(([kind, all]) => all.map((route) => [`${kind} ${route.metadata.name}`, route])),
  );
  let first: RefusedAction | undefined;
  for (const action of actions) {
    controller.signal.throwIfAborted();
    const { name } = (action.do === 'create' ? action.route : action.there).metadata;
    try {
      const route = await act(controller, action);
      if (route === undefined) routes.delete(`${action.kind} ${name}`);
      else routes.set(`${action.kind} ${name}`, route);
    } catch (error) {
      const refusal = refusalOf(action, error);
      first ??= refusal;
    }
  }
  return { routes: [...routes.values()], refusal: first };
}
