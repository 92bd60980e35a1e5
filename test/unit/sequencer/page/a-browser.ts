/** Debian's Chromium, and what stories of the page ask of it. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const executable = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find(existsSync);

/** Opens a browser for a story. */
export async function aBrowser(t: ExecutionContext): Promise<Browser> {
  if (executable === undefined)
    throw new Error('there is no chromium: apt-get install --no-install-recommends chromium');
  const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  return browser;
}

/** A tab, and everything that went wrong in it. */
export interface Tab {
  readonly page: Page;
  /** Errors of the console and the page: what the policy of the page refuses is among them. */
  readonly errors: readonly string[];
}

/** Opens a tab at an address. */
export async function aTab(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 860 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_CONNECTION/.test(message.text()))
      errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(address);
  return { page, errors };
}

/** Returns what axe finds in a tab, one sentence each: all of it, or only `impacts` such as `serious`. */
export async function barriersIn(page: Page, impacts?: readonly string[]): Promise<readonly string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  const found = await page.evaluate(async (wanted) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; impact: string; nodes: { html: string; failureSummary?: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run({});
    return violations
      .filter(({ impact }) => wanted?.includes(impact) ?? true)
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }, impacts);
  return found;
}
