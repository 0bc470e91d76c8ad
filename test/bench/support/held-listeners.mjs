// Listens on some ports and gives the sockets to whoever started it, unread: as the sandbox's launcher does.
import net from 'node:net';

const count = Number(process.argv[2]);
for (let index = 0; index < count; index++) {
  const server = net.createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  await new Promise((done) => process.send(server.address().port, server._handle, done));
}
process.exit();
