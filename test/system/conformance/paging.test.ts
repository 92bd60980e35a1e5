import { replayFamily } from './replay/family.ts';

replayFamily('paging');
