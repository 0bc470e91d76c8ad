// The bare route that reading a run is measured against: Express and pg, the same row, nothing else.
import express from 'express';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const app = express();
app.get('/runs/:id', async (request, response) => {
  const { rows } = await pool.query('SELECT * FROM runs WHERE id = $1', [request.params.id]);
  response.json(rows[0]);
});
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
