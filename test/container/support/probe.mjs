import { Sandbox } from '/app/dist/libs/sandbox/index.js';

/** Run in a container: opens the sandbox, which tests itself, and says in a line how that went. */
const alive = setInterval(() => undefined, 1000); // an idle launcher keeps no process alive
try {
  const sandbox = await Sandbox.open();
  await sandbox.close();
  console.log(`works, limits: ${sandbox.limits}`);
} catch (error) {
  console.log(error.message.split('\n')[0]);
} finally {
  clearInterval(alive);
}
