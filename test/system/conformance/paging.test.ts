import { replayFamily } from './family.ts';

replayFamily('paging');
