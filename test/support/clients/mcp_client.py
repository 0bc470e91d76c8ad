"""The official Python client: connects with its defaults, and calls what it is told to, line by line."""
import asyncio
import json
import sys

from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from urllib.parse import parse_qs, urlsplit

URL = sys.argv[1]


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def say(**what):
    print(json.dumps(what), flush=True)


async def heard():
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


async def open_browser(url):
    say(open=url)


async def callback():
    query = parse_qs(urlsplit(await heard()).query)
    first = {name: values[0] for name, values in query.items()}
    return AuthorizationCodeResult(code=first["code"], state=first.get("state"), iss=first.get("iss"))


async def main():
    metadata = OAuthClientMetadata(client_name="Python", redirect_uris=["http://localhost:3030/callback"])
    auth = OAuthClientProvider(URL, metadata, Memory(), open_browser, callback)
    async with create_mcp_http_client(auth=auth) as http:
        async with Client(streamable_http_client(URL, http_client=http)) as client:
            say(tools=[tool.name for tool in (await client.list_tools()).tools])
            while line := await heard():
                call = json.loads(line)
                result = await client.call_tool(call["name"], call["arguments"])
                say(text=result.content[0].text, isError=bool(result.is_error))


asyncio.run(main())
