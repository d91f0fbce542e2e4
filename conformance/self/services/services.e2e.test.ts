import { NAMES, testServices } from './services.suite.ts';

// Few cases each: whatever a service does otherwise than others, each requirement meets it. More seeds: run.ts.
testServices(NAMES, 2, 2, 'core');
testServices(NAMES, 1, 2, 'extended');
