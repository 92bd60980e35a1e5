import test from 'ava';
import { loadAssets } from '../../../../sequencer/page/page-assets.ts';

test('in a checkout the page is bundled with its library, its license, and without anything from elsewhere', async (t) => {
  const assets = await loadAssets();
  t.deepEqual([...assets.keys()].sort(), ['/', '/icon.svg', '/page.css', '/page.js']);
  const script = assets.get('/page.js')?.body ?? '';
  t.regex(script, /MIT License/);
  t.notRegex(script, /\b(eval|Function)\(|from ?["'](?!\.)|import\(/);
  t.true(script.length < 100_000, `${script.length} bytes`);
  for (const { body } of assets.values()) t.notRegex(body, /(src|href)="https?:|url\(/);
});
