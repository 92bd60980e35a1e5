import { replayFamily } from './family.ts';

replayFamily('discovery');
