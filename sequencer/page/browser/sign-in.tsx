/** Sign-in form. */

import { useState } from 'preact/hooks';

/** Asks for a token. */
export function SignIn({
  problem,
  onToken,
}: {
  readonly problem: string | undefined;
  readonly onToken: (token: string) => void;
}) {
  const [token, setToken] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (token.trim() !== '') onToken(token.trim());
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <img src="/icon.svg" alt="" width="44" height="44" />
        <h1>sequencer</h1>
        <p>
          Paste a bearer token. For <code>sequencer dev</code> it is the part of the printed address after{' '}
          <code>#</code>; for an operator it is a token of the cluster, such as <code>kubectl create token NAME</code>{' '}
          prints.
        </p>
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary">
          Sign in
        </button>
        <p class="muted small">It stays in this tab, and is sent to this page’s server only.</p>
      </form>
    </main>
  );
}
