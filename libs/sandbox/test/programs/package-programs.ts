/** One program for each of the packages that scripts use most, and the version that it is tried with. */
export interface PackageProgram {
  /** As pip has it. */
  install: string;
  source: string;
}

export const PACKAGE_PROGRAMS: Readonly<Record<string, PackageProgram>> = {
  requests: {
    install: 'requests==2.34.2',
    source: `import requests
asked = requests.Request("GET", "https://example.com/a", params={"q": "1 2"}, json={"a": 1}).prepare()
print(asked.url, sorted(asked.headers), asked.body)
try:
    requests.get("http://127.0.0.1:9/")
except requests.ConnectionError as error:
    print(type(error).__name__)
requests.get("no address")
`,
  },
  httpx: {
    install: 'httpx==0.28.1',
    source: `import asyncio, httpx
answer = lambda request: httpx.Response(200, json={"path": request.url.path})
print(httpx.Client(transport=httpx.MockTransport(answer)).get("https://example.com/a").json())
async def main():
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client:
        print((await client.get("https://example.com/b")).json())
asyncio.run(main())
`,
  },
  aiohttp: {
    install: 'aiohttp==3.14.5',
    source: `import asyncio
import aiohttp
from aiohttp import web
async def main():
    app = web.Application()
    async def hello(request): return web.json_response({"path": request.path})
    app.router.add_get("/{name}", hello)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 8080)
    await site.start()
    async with aiohttp.ClientSession() as session:
        async with session.get("http://127.0.0.1:8080/a") as response:
            print(response.status, await response.json())
    await runner.cleanup()
asyncio.run(main())
`,
  },
  boto3: {
    install: 'boto3==1.44.8',
    source: `import boto3
from botocore.stub import Stubber
client = boto3.client("s3", region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
with Stubber(client) as stub:
    stub.add_response("list_buckets", {"Buckets": [{"Name": "one"}]})
    print([bucket["Name"] for bucket in client.list_buckets()["Buckets"]])
print(client.meta.endpoint_url)
`,
  },
  pandas: {
    install: 'pandas==3.1.1',
    source: `import pandas as pd
frame = pd.DataFrame({"kind": list("abab"), "value": [1.5, 2, 3, 4], "at": pd.date_range("2026-01-01", periods=4)})
print(frame.groupby("kind")["value"].agg(["sum", "mean"]))
frame.to_csv("/outputs/frame.csv")
frame["missing"]
`,
  },
  numpy: {
    install: 'numpy==2.4.6',
    source: `import numpy as np
chance = np.random.default_rng(1)
matrix = chance.random((300, 300))
print(np.round(np.linalg.solve(matrix, matrix @ np.ones(300)), 6).sum(), np.round(np.linalg.svd(matrix)[1][0], 4))
np.random.seed(7)
print(np.random.random(3))
`,
  },
  scipy: {
    install: 'scipy==1.17.1',
    source: `from scipy import optimize, stats
print(round(optimize.minimize_scalar(lambda x: (x - 2) ** 2).x, 6), round(stats.norm.cdf(1.0), 6))
`,
  },
  'scikit-learn': {
    install: 'scikit-learn==1.9.1',
    source: `from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
print(LinearRegression().fit([[0], [1], [2]], [1, 3, 5]).predict([[3]]).round(6))
print(RandomForestClassifier(5, random_state=1, n_jobs=2).fit([[0], [1]] * 9, [0, 1] * 9).predict([[0], [1]]))
`,
  },
  polars: {
    install: 'polars==2.1.0',
    source: `import polars as pl
frame = pl.DataFrame({"kind": list("abab"), "value": [1, 2, 3, 4]})
print(frame.group_by("kind").agg(pl.col("value").sum()).sort("kind").rows())
`,
  },
  pyarrow: {
    install: 'pyarrow==26.0.1',
    source: `import pyarrow as pa
import pyarrow.parquet as pq
pq.write_table(pa.table({"a": list(range(1000))}), "/outputs/a.parquet")
print(pq.read_table("/outputs/a.parquet")["a"].to_pylist()[-1])
`,
  },
  matplotlib: {
    install: 'matplotlib==3.11.2',
    source: `import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.plot([1, 2, 3], [1, 4, 9])
plt.savefig("/outputs/plot.png")
print(matplotlib.get_backend())
`,
  },
  pillow: {
    install: 'pillow==13.0.0',
    source: `from PIL import Image, ImageFilter
image = Image.new("RGB", (64, 64), (200, 10, 10)).filter(ImageFilter.BLUR).resize((16, 16))
image.save("/outputs/small.png")
print(image.size, image.getpixel((8, 8)))
Image.open("/app/main.py")
`,
  },
  lxml: {
    install: 'lxml==6.1.3',
    source: `from lxml import etree
print(etree.fromstring("<a><b x='1'/><b x='2'/></a>").xpath("//b/@x"))
etree.fromstring("<a>")
`,
  },
  beautifulsoup4: {
    install: 'beautifulsoup4==4.15.0',
    source: `from bs4 import BeautifulSoup
print([link["href"] for link in BeautifulSoup("<a href=x>1</a><a href=y>2", "html.parser").find_all("a")])
`,
  },
  sqlalchemy: {
    install: 'sqlalchemy==2.1.9',
    source: `from sqlalchemy import create_engine, text
with create_engine("sqlite://").begin() as connection:
    connection.execute(text("CREATE TABLE a (b integer)"))
    connection.execute(text("INSERT INTO a VALUES (1), (2)"))
    print(connection.execute(text("SELECT sum(b) FROM a")).scalar())
`,
  },
  psycopg: {
    install: 'psycopg[binary]==3.3.9',
    source: `import psycopg
from psycopg import sql
print(sql.SQL("SELECT {} FROM {}").format(sql.Literal(1), sql.Identifier("a")).as_string(None))
psycopg.connect("host=127.0.0.1 port=9 dbname=x", connect_timeout=2)
`,
  },
  pydantic: {
    install: 'pydantic==2.14.4',
    source: `from pydantic import BaseModel
class Person(BaseModel):
    name: str
    age: int
print(Person(name="a", age="3"))
Person(name="a", age="x")
`,
  },
  fastapi: {
    install: 'fastapi==0.165.0',
    source: `from fastapi import FastAPI
from fastapi.testclient import TestClient
app = FastAPI()
@app.get("/items/{number}")
def item(number: int): return {"number": number}
client = TestClient(app)
print(client.get("/items/3").json(), client.get("/items/x").status_code)
`,
  },
  jinja2: {
    install: 'jinja2==3.1.6',
    source: `import jinja2
print(jinja2.Template("{% for a in all %}{{ a|upper }} {% endfor %}").render(all=["x", "y"]))
jinja2.Template("{{ a.b.c }}").render()
`,
  },
  pyyaml: {
    install: 'pyyaml==6.0.4',
    source: `import yaml
print(yaml.safe_load("a: [1, 2]"), yaml.dump({"b": 1}))
yaml.safe_load("a: [")
`,
  },
  openpyxl: {
    install: 'openpyxl==3.1.5',
    source: `import openpyxl
book = openpyxl.Workbook()
book.active["A1"] = 41
book.save("/tmp/a.xlsx")
print(openpyxl.load_workbook("/tmp/a.xlsx").active["A1"].value + 1)
`,
  },
  cryptography: {
    install: 'cryptography==50.0.2',
    source: `from cryptography.fernet import Fernet
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ed25519
box = Fernet(Fernet.generate_key())
print(box.decrypt(box.encrypt(b"x")))
key = ed25519.Ed25519PrivateKey.generate()
key.public_key().verify(key.sign(b"y"), b"y")
digest = hashes.Hash(hashes.SHA256())
digest.update(b"z")
print(digest.finalize().hex())
box.decrypt(b"no")
`,
  },
  paramiko: {
    install: 'paramiko==5.1.0',
    source: `import paramiko
key = paramiko.RSAKey.generate(2048)
print(key.get_name(), key.verify_ssh_sig(b"x", paramiko.Message(key.sign_ssh_data(b"x").asbytes())))
try:
    paramiko.SSHClient().connect("127.0.0.1", port=9)
except Exception as error:
    print(type(error).__name__)
`,
  },
  grpcio: {
    install: 'grpcio==1.85.3',
    source: `import grpc
from concurrent import futures
class Handler(grpc.GenericRpcHandler):
    def service(self, call): return grpc.unary_unary_rpc_method_handler(lambda request, _: request[::-1])
server = grpc.server(futures.ThreadPoolExecutor(2))
server.add_generic_rpc_handlers((Handler(),))
port = server.add_insecure_port("127.0.0.1:0")
server.start()
with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
    print(channel.unary_unary("/a/B")(b"abc", timeout=20))
server.stop(None).wait()
`,
  },
  'google-cloud-storage': {
    install: 'google-cloud-storage==3.17.1',
    source: `from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
client = storage.Client(project="p", credentials=AnonymousCredentials())
print(client.bucket("b").blob("c/d").path)
`,
  },
  'azure-identity': {
    install: 'azure-identity==1.27.0',
    source: `from azure.identity import ClientSecretCredential
try:
    ClientSecretCredential("tenant", "client", "secret").get_token("scope/.default")
except Exception as error:
    print(type(error).__name__)
`,
  },
  openai: {
    install: 'openai==3.57.0',
    source: `import openai
client = openai.OpenAI(api_key="k", base_url="http://127.0.0.1:9/v1", max_retries=0)
try:
    client.models.list()
except openai.APIConnectionError as error:
    print(type(error).__name__)
`,
  },
  anthropic: {
    install: 'anthropic==2.14.0',
    source: `import anthropic
client = anthropic.Anthropic(api_key="k", base_url="http://127.0.0.1:9", max_retries=0)
try:
    client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "x"}])
except anthropic.APIConnectionError as error:
    print(type(error).__name__)
`,
  },
  tqdm: {
    install: 'tqdm==4.70.1',
    source: `from tqdm import tqdm
print(sum(tqdm(range(10), bar_format="{n}/{total}", mininterval=0)))
`,
  },
  rich: {
    install: 'rich==15.0.0',
    source: `from rich.console import Console
from rich.table import Table
table = Table("a", "b")
table.add_row("1", "2")
Console(width=40).print(table)
`,
  },
};
