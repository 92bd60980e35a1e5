import { replayFamily } from './family.ts';

replayFamily('admission');
