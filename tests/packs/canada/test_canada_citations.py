"""The human citation and the official address, in both languages."""
# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Work, WorkKind
from pykala.packs.canada import pack

ACT = Work(
    WorkId("ca:act:E-5.6"),
    WorkKind.ACT,
    100,
    titles=(("en", "An Act respecting employment insurance"), ("fr", "Loi concernant l’assurance-emploi")),
    short_titles=(("en", "Employment Insurance Act"), ("fr", "Loi sur l’assurance-emploi")),
)


@pytest.mark.parametrize(
    ("path", "english", "french"),
    [
        ("", "", ""),
        ("/sec_7", ", s. 7", ", art. 7"),
        ("/sec_7/subsec_2", ", s. 7(2)", ", par. 7(2)"),
        ("/sec_7/subsec_2/para_b", ", s. 7(2)(b)", ", al. 7(2)b)"),
        ("/sec_150/subsec_1/para_d/subpara_ii", ", s. 150(1)(d)(ii)", ", sous-al. 150(1)d)(ii)"),
        ("/sec_150/subsec_1/para_d/subpara_ii/cl_A", ", s. 150(1)(d)(ii)(A)", ", div. 150(1)d)(ii)(A)"),
        ("/sec_2/subsec_1/def_claimant", ", s. 2(1), definition “claimant”", ", par. 2(1), définition de « claimant »"),
        ("/sec_7/subsec_2/flush_1", ", s. 7(2)", ", par. 7(2)"),
        ("/sec_2-23", ", ss. 2 to 23", ", art. 2 à 23"),
        ("/sec_5.dup2", ", s. 5", ", art. 5"),
        ("/part_II", ", Part II", ", partie II"),
        ("/sched_VI/part_III/sec_1/para_a", ", Schedule VI, Part III, s. 1(a)", ", annexe VI, partie III, al. 1a)"),
        ("/preamble_1", ", preamble", ", préambule"),
        ("/sec_7/hist_1", ", s. 7, historical note", ", art. 7, note historique"),
        ("/sched_1/treaty_1/art_5/item_2", ", Schedule 1, treaty 1, Article 5, item 2",
         ", annexe 1, traité 1, article 5, point 2"),
    ],
)  # fmt: skip
def test_citations(path: str, english: str, french: str) -> None:
    provision = ProvisionId.parse(f"ca:act:E-5.6{path}")
    assert pack.cite(provision, ACT, "en") == f"Employment Insurance Act{english}"
    assert pack.cite(provision, ACT, "fr") == f"Loi sur l’assurance-emploi{french}"


@pytest.mark.parametrize(
    ("provision", "english", "french"),
    [
        ("ca:act:E-5.6", "eng/acts/E-5.6/index.html", "fra/lois/E-5.6/index.html"),
        ("ca:act:E-5.6/sec_7/subsec_2", "eng/acts/E-5.6/section-7.html", "fra/lois/E-5.6/article-7.html"),
        ("ca:act:E-5.6/sched_1", "eng/acts/E-5.6/FullText.html", "fra/lois/E-5.6/TexteComplet.html"),
        ("ca:reg:SOR-96-332/sec_9", "eng/regulations/SOR-96-332/section-9.html",
         "fra/reglements/DORS-96-332/article-9.html"),
        ("ca:reg:C.R.C.,_c._945/sec_58.1", "eng/regulations/C.R.C.,_c._945/section-58.1.html",
         "fra/reglements/C.R.C.,_ch._945/article-58.1.html"),
    ],
)  # fmt: skip
def test_addresses(provision: str, english: str, french: str) -> None:
    place = ProvisionId.parse(provision)
    assert pack.url(place, ACT, "en") == f"https://laws-lois.justice.gc.ca/{english}"
    assert pack.url(place, ACT, "fr") == f"https://laws-lois.justice.gc.ca/{french}"
