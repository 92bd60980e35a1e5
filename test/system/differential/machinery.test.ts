import { holdTo } from './held.ts';
import { machinery } from './machinery.ts';

holdTo('machinery', machinery, ({ name }) => name.split(/[: ]/, 1)[0]!);
