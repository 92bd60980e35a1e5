/** State of the page, changed by messages of the server and actions of the user. */

import { useCallback, useEffect, useReducer, useState } from 'preact/hooks';
import type { PageAnswer } from '../page-model.ts';
import { type PageRoute, readRoute, tokenIn } from './model/browser-session.ts';
import { postAction, readLive } from './model/live-client.ts';
import { initialState, nextPage, type PageChange, type PageState } from './model/page-state.ts';

const tokenName = 'sequencer-token';

/** Moves the token from the address into the tab's storage, and returns it; without one in the address, the stored token. */
function takeToken(): string {
  const token = tokenIn(location.hash);
  if (token === undefined) return sessionStorage.getItem(tokenName) ?? '';
  sessionStorage.setItem(tokenName, token);
  history.replaceState(null, '', '#/');
  return token;
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const isShown = (): boolean => document.visibilityState === 'visible';

/** Returns whether the tab is visible; a hidden tab needs no stream. */
function useVisible(): boolean {
  const [visible, setVisible] = useState(isShown);
  useEffect(() => {
    const look = () => setVisible(isShown());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return visible;
}

function useRoute(): PageRoute {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const look = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return route;
}

/** Shared state and actions of the page's components. */
export interface Page {
  readonly state: PageState;
  readonly route: PageRoute;
  readonly signIn: (token: string) => void;
  readonly requestAction: (name: string) => Promise<PageAnswer>;
}

/** Connects the page to its server. */
export function usePage(): Page {
  const [token, setToken] = useState(takeToken);
  const [state, dispatch] = useReducer(
    (known: PageState, change: PageChange) => nextPage(known, change, Date.now()),
    initialState,
  );
  const route = useRoute();
  const visible = useVisible();
  const workspace = route.kind === 'workspace' ? route.key : undefined;

  useEffect(() => {
    dispatch({ type: 'select' });
  }, [workspace]);
  useEffect(() => {
    if (token === '') dispatch({ type: 'connection', value: 'signed-out' });
    if (token === '' || !visible) return;
    const ended = new AbortController();
    const { signal } = ended;
    void readLive({ fetch: fetch.bind(globalThis), token, workspace, onChange: dispatch, sleep, signal });
    return () => ended.abort();
  }, [token, workspace, visible]);

  const signIn = useCallback((next: string) => {
    sessionStorage.setItem(tokenName, next);
    dispatch({ type: 'connection', value: 'connecting' });
    setToken(next);
  }, []);
  const requestAction = useCallback(
    (name: string) => postAction(fetch.bind(globalThis), { name, workspace, token }),
    [workspace, token],
  );
  return { state, route, signIn, requestAction };
}

/** Returns this machine's time, anew every second. */
export function useNow(skew: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + skew;
}
