/** What the container's health check runs: whether this process takes requests, or as a worker runs scripts. */
const { GATEHOUSE_ROLE: role, GATEHOUSE_WORKER_PORT: workerPort, PORT: port } = process.env;
const address = `http://127.0.0.1:${role === 'worker' ? workerPort : port || 3000}/health/ready`;
const response = await fetch(address).catch(
  (error) => new Response(String(error.cause ?? error), { status: 599 }),
);
console.log(await response.text());
process.exitCode = response.ok ? 0 : 1;
