"""Categories of facts: examples of each, with which a new fact is compared by meaning."""

from __future__ import annotations

from collections.abc import Mapping

CATEGORY_EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "loss": (
        "My father died",
        "A relative of mine passed away",
        "We buried our pet",
        "My partner left me and we separated",
        "I am grieving for someone I loved",
        "The funeral of a family member",
        "We got divorced",
        "I lost the baby",
    ),
    "preference": (
        "I like this food very much",
        "I prefer one thing over another",
        "I dislike this kind of music",
        "My favourite colour is blue",
        "My favourite singer",
        "I can't stand olives",
        "I would rather have coffee",
        "I enjoy reading novels",
        "I would rather be contacted by email",
        "I can't bear noise",
        "Please keep your answers brief",
    ),
    "coping_strategy": (
        "Going for a run calms me down",
        "Meditation helps me with stress",
        "I take deep breaths when I am upset",
        "Talking to my counsellor makes me feel better",
        "I take medication against depression",
        "Drawing takes my mind off my worries",
    ),
    "relationship": (
        "My mother is called Maria",
        "My brother lives in another town with his family",
        "She is my best friend",
        "My colleague and I fight often",
        "I am married and have two children",
        "My manager is strict",
        "My aunt and my nephew visited us",
        "I have a boyfriend",
    ),
    "trigger": (
        "Thunder frightens me",
        "Being shouted at makes me anxious",
        "I panic in closed rooms",
        "That place brings back painful memories",
        "I get upset whenever people talk about the accident",
        "Seeing blood makes me feel sick with fear",
    ),
    "goal": (
        "I plan to travel next year",
        "I want to learn a new skill",
        "My goal is to get fit",
        "We are going to move house",
        "I hope to find a better job",
        "I am saving money for a holiday",
        "I intend to stop smoking",
    ),
    "context": (
        "I work as an engineer at a company",
        "I live in a big city",
        "I am thirty years old",
        "I have asthma",
        "My car is red",
        "The table is white",
        "The name of my dog is Rex",
        "My bicycle is called Rosinante",
        "Peter lives in Vienna",
        "The customer wants a blue design",
        "My phone number is 555 1234",
        "The meeting is on Tuesday at ten",
        "I study history at the university",
        "My flat has two rooms",
        "I speak three languages",
        "The server runs on port 8080",
        "I had surgery on my knee",
    ),
}
"""Sentences of each category of the CoALA layers.

They are in English; the encoder finds sentences of other languages near them. Of 30 facts that were kept back
when they were written, 23 get their category, and of 20 in eight other languages 19.
"""
EXAMPLE_SIMILARITY = 0.25
"""Cosine of a fact and its nearest example from which it has that example's category.

Everyday facts have 0.3 to 0.7, and those of projects ("The deploy script is in tools/") mostly 0.1 to 0.25.
"""
