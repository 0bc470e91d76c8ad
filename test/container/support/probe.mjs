import { Sandbox } from '/app/dist/libs/sandbox/index.js';

/** Run in a container: opens the sandbox, which tests itself, and says in a line how that went. */
try {
  const sandbox = await Sandbox.open();
  await sandbox.close();
  console.log('works');
} catch (error) {
  console.log(error.message.split('\n')[0]);
}
