#!/usr/bin/env python3
"""The vendors' own clients of their models: OpenAI's, Anthropic's and Google's Python packages.

Asks a server for a streamed reply with a tool and then for a whole one, and prints what the client made of
them as one JSON object:

    model_clients.py anthropic --url http://127.0.0.1:8000 --key KEY
"""

import argparse
import json

TOOL = "assess_response"
DESCRIPTION = "Say how deep the answer is."
SCHEMA = {"type": "object", "properties": {"depth": {"type": "integer"}}, "required": ["depth"]}
ASKED = "I bake bread."


def ask_openai(url, key):
    """Chat completions by the package `openai`."""
    import openai

    client = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)
    messages = [{"role": "user", "content": ASKED}]
    function = {"name": TOOL, "description": DESCRIPTION, "parameters": SCHEMA}
    text, calls, usage = "", {}, None
    stream = client.chat.completions.create(
        model="stub",
        messages=messages,
        tools=[{"type": "function", "function": function}],
        stream=True,
        stream_options={"include_usage": True},
    )
    for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            for part in choice.delta.tool_calls or []:
                call = calls.setdefault(part.index, {"name": "", "arguments": ""})
                call["name"] += part.function.name or ""
                call["arguments"] += part.function.arguments or ""
    calls = [[call["name"], json.loads(call["arguments"])] for call in calls.values()]
    whole = client.chat.completions.create(model="stub", messages=messages)
    return {
        "text": text,
        "calls": calls,
        "usage": [usage.prompt_tokens, usage.completion_tokens],
        "whole": whole.choices[0].message.content,
    }


def ask_anthropic(url, key):
    """The Messages API by the package `anthropic`."""
    import anthropic

    client = anthropic.Anthropic(base_url=url, api_key=key, max_retries=0)
    asked = {"model": "stub", "max_tokens": 600, "messages": [{"role": "user", "content": ASKED}]}
    tool = {"name": TOOL, "description": DESCRIPTION, "input_schema": SCHEMA}
    with client.messages.stream(**asked, tools=[tool]) as stream:
        message = stream.get_final_message()
    usage = message.usage
    inputs = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens]
    whole = client.messages.create(**asked)
    return {
        "text": "".join(block.text for block in message.content if block.type == "text"),
        "calls": [[block.name, block.input] for block in message.content if block.type == "tool_use"],
        "usage": [sum(tokens or 0 for tokens in inputs), usage.output_tokens],
        "whole": whole.content[0].text,
    }


def ask_gemini(url, key):
    """The Gemini API by the package `google-genai`."""
    from google import genai
    from google.genai import types

    options = types.HttpOptions(base_url=url, api_version="v1")
    client = genai.Client(api_key=key, vertexai=False, http_options=options)
    declared = types.FunctionDeclaration(
        name=TOOL, description=DESCRIPTION, parameters_json_schema=SCHEMA
    )
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    text, calls, usage = "", [], None
    stream = client.models.generate_content_stream(model="stub", contents=ASKED, config=config)
    for chunk in stream:
        usage = chunk.usage_metadata or usage
        for part in chunk.candidates[0].content.parts or []:
            if part.function_call:
                calls.append([part.function_call.name, part.function_call.args])
            elif part.text and not part.thought:
                text += part.text
    whole = client.models.generate_content(model="stub", contents=ASKED)
    return {
        "text": text,
        "calls": calls,
        "usage": [usage.prompt_token_count, usage.candidates_token_count],
        "whole": whole.text,
    }


def main():
    """Asks the server that the arguments name."""
    vendors = {"openai": ask_openai, "anthropic": ask_anthropic, "gemini": ask_gemini}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vendor", choices=vendors)
    parser.add_argument("--url", required=True)
    parser.add_argument("--key", required=True)
    args = parser.parse_args()
    print(json.dumps(vendors[args.vendor](args.url, args.key)))


if __name__ == "__main__":
    main()
