/** Root component of the page: header, routes and panels. */

import { useEffect, useState } from 'preact/hooks';
import { ControlBar } from './control-bar.tsx';
import { ProcessPanel } from './process-panel.tsx';
import { SignIn } from './sign-in.tsx';
import { type Page, usePage } from './use-page.tsx';
import { WorkspaceDetail } from './workspace-detail.tsx';
import { WorkspaceList } from './workspace-list.tsx';

type Theme = 'auto' | 'light' | 'dark';
const themes: readonly Theme[] = ['auto', 'light', 'dark'];
const themeName = 'sequencer-theme';

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((one) => one === localStorage.getItem(themeName)) ?? 'auto',
  );
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(themeName, theme);
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => setTheme(next)}
      aria-label={`Colours: ${theme}; change to ${next}`}
    >
      <span aria-hidden="true">{theme === 'auto' ? '◐' : theme === 'light' ? '☀' : '☾'}</span> {theme}
    </button>
  );
}

const connectionTexts = {
  live: 'live',
  connecting: 'connecting',
  lost: 'reconnecting',
  'signed-out': 'signed out',
} as const;

function Header({ page: { state, route } }: { readonly page: Page }) {
  return (
    <header class="bar">
      <a href="#/" class="brand">
        <img src="/icon.svg" alt="" width="26" height="26" /> sequencer
      </a>
      {state.session && <span class="tag">{state.session.mode}</span>}
      <span class={`connection ${state.connection}`} role="status">
        <span class="lamp" aria-hidden="true" /> {connectionTexts[state.connection]}
      </span>
      <nav aria-label="Parts of the page">
        <a href="#/" aria-current={route.kind === 'process' ? undefined : 'page'}>
          Workspaces
        </a>
        {state.process && (
          <a href="#/process" aria-current={route.kind === 'process' ? 'page' : undefined}>
            Sequencer
          </a>
        )}
      </nav>
      <ThemeButton />
    </header>
  );
}

function Detail({ page }: { readonly page: Page }) {
  const { state, route, requestAction } = page;
  if (route.kind === 'workspace') return <WorkspaceDetail state={state} route={route} requestAction={requestAction} />;
  return <ProcessPanel state={state} />;
}

/** The page. */
export function App() {
  const page = usePage();
  const { state, route, requestAction, signIn } = page;
  useEffect(() => {
    document.title = route.kind === 'workspace' ? `${route.key} · sequencer` : 'sequencer';
  }, [route]);
  if (state.connection === 'signed-out') return <SignIn problem={state.problem} onToken={signIn} />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('detail')?.focus()}>
        Skip to the details
      </button>
      <Header page={page} />
      {state.connection === 'lost' && (
        <p class="banner" role="alert">
          The sequencer sends nothing ({state.problem}). The page may be out of date; reconnecting.
        </p>
      )}
      {state.session && state.session.controls.length > 0 && (
        <ControlBar
          controls={state.session.controls}
          faults={state.objects?.faults ?? []}
          requestAction={requestAction}
        />
      )}
      <main class={`panes ${route.kind}`}>
        <WorkspaceList state={state} selected={route.kind === 'workspace' ? route.key : undefined} />
        <div id="detail" class="detail" tabIndex={-1}>
          <Detail page={page} />
        </div>
      </main>
    </>
  );
}
