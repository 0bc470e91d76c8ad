"""fastmcp: connects with its defaults, and calls what it is told to, line by line."""
import asyncio
import json
import sys

from fastmcp import Client

URL = sys.argv[1]


def say(**what):
    print(json.dumps(what), flush=True)


async def main():
    async with Client(URL, auth="oauth") as client:
        say(tools=[tool.name for tool in await client.list_tools()])
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            call = json.loads(line)
            result = await client.call_tool(call["name"], call["arguments"], raise_on_error=False)
            say(text=result.content[0].text, isError=bool(result.is_error))


asyncio.run(main())
