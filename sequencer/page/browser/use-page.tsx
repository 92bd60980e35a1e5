/** Keeps the state of the page, and changes it by what the server sends and people do. */

import { useCallback, useEffect, useReducer, useState } from 'preact/hooks';
import type { PageAnswer } from '../page-model.ts';
import { type PagePlace, readRoute, tokenIn } from './model/browser-session.ts';
import { act, readLive } from './model/live-client.ts';
import { initialState, nextPage, type PageChange, type PageState } from './model/page-state.ts';

const tokenName = 'sequencer-token';

/** Takes the token out of the address, where it must not stay, or of this tab's storage. */
function givenToken(): string {
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

/** Follows whether the tab is in sight: one that is not needs no stream. */
function useVisible(): boolean {
  const [visible, setVisible] = useState(isShown);
  useEffect(() => {
    const look = () => setVisible(isShown());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return visible;
}

function useRoute(): PagePlace {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const look = () => setRoute(readRoute(location.hash));
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return route;
}

/** All that the parts of the page need. */
export interface Page {
  readonly state: PageState;
  readonly route: PagePlace;
  readonly signIn: (token: string) => void;
  readonly ask: (name: string) => Promise<PageAnswer>;
}

/** Connects the page to its server. */
export function usePage(): Page {
  const [token, setToken] = useState(givenToken);
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
  const ask = useCallback(
    (name: string) => act(fetch.bind(globalThis), { name, workspace, token }),
    [workspace, token],
  );
  return { state, route, signIn, ask };
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
