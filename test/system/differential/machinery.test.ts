import { machinery } from './machinery.ts';
import { holdTo } from './runner/held.ts';

holdTo('machinery', machinery, ({ name }) => name.split(/[: ]/, 1)[0]!);
