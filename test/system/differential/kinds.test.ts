import { holdTo } from './held.ts';
import { kinds } from './kinds.ts';

holdTo('kinds', kinds, ({ name }) => name.split(/[: ]/, 2).join(' '));
