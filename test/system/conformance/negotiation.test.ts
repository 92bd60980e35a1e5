import { replayFamily } from './family.ts';

replayFamily('negotiation');
