import { kinds } from './kinds.ts';
import { holdTo } from './runner/held.ts';

holdTo('kinds', kinds, ({ name }) => name.split(/[: ]/, 2).join(' '));
