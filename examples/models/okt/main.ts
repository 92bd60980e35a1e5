/** Plays the website in okt's model. */

import { play } from '../play.ts';
import { reconcilerFor } from './reconciler.ts';

await play(reconcilerFor);
