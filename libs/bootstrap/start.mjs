import { launchForever } from './launch.mjs';

await launchForever('main');
