"""Words too common to tell one provision from another, per language.

The lists are short on purpose. Words that turn a rule around or bind someone stay searchable: not, ei,
inte, ne; shall, must, may; only, unless, except; a number is never a stop word.
"""

from __future__ import annotations

from typing import Final

_LISTS: Final = {
    "en": """
        a about after all also am an and any are as at be been being but by can could did do does for from
        had has have he her here hers him his how i if in into is it its itself me my of off on or other our
        out over own per she so some such than that the their them then there thereby therefore therein
        thereof thereto these they this those through to too under up upon us very was we were what when
        where whereas whether which while who whom whose why will with would you your
    """,
    "fr": """
        a afin ai ainsi alors au aucun aussi autre autres aux avait avec avoir ayant c ce ceci cela celle
        celles celui ces cet cette ceux chaque ci comme comment d dans de depuis des donc dont du elle elles
        en encore entre es est et eu eux faire fait fut ici il ils j je l la laquelle le lequel les
        lesquelles lesquels leur leurs lors m ma mais me mes mon même n nos notre nous on ont ou où par pas
        pendant peu plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon
        sera ses si son sont sous suis sur t ta te tel telle tels tes ton tous tout toute toutes tu un une
        vos votre vous y à étaient était étant été être
    """,
    "sv": """
        alla allt andra annan annat att av blev bli blir både de dem den denna deras dess dessa det detta
        dig din dit ditt där därför då efter eller en er ett från för genom ha hade han hans har henne
        hennes hon honom hur här i ifrån in innan jag ju kan man med mellan mig min mitt mot mycket ni nu
        när och också om oss på samma samt sedan sig sin sina sitt själv som så till under upp ut vad var
        vara varför varit varje vars vart vem vi vid vilka vilken vilket vill än är
    """,
    "fi": """
        aikana ainakin he heidän hän hänen itse ja jo johon joiden joihin joilla joille joissa joista joita
        joka jokin jolla jolle jollei jolloin jonka jos joskin jossa josta jota jotka jotta kai kaikki
        kaikkien kanssa koska kuin kuinka kuka kun kunkin kyseinen kyseisen lisäksi me mihin mikä mikäli
        millainen millaisia milloin minkä minkälainen minun minä missä mistä miten mitkä mitä mukaan mutta
        muu muun muut myös n ne niiden niihin niin niistä niitä nuo näiden näihin näissä nämä olen oleva
        olevan oli olisi olivat olla olleet ollut on onko ovat paitsi sanoa sanoo se sekä sellainen sen
        siihen siinä siis siitä sitä ssa ssä sta stä tai taikka te tulee tuo tähän tällainen tällä tämä
        tämän tässä tästä tätä voi voidaan voiko voivat
    """,
}

STOP_WORDS: Final = {language: frozenset(words.split()) for language, words in _LISTS.items()}
