"""Former titles of acts: older texts still cite by them, and the markup gives those names no number.

Only acts that were renamed or retranslated, with unchanged numbering, are listed. An act that replaced
another (as the Employment Insurance Act replaced the Unemployment Insurance Act) is not a new name for it.
Most French titles were found by comparison: at least two works use them where the English text has the
present title. Titles that changed in both languages were chosen by hand among those cited most.
"""

from __future__ import annotations

FORMER_TITLES: dict[str, tuple[str, ...]] = {
    "ca:act:A-6": ("Loi sur l’organisation du marché des produits agricoles",),
    "ca:act:C-1.4": ("Loi sur l’Agence des services frontaliers",),
    "ca:act:C-7.5": (
        "Canada-Newfoundland Atlantic Accord Implementation Act",
        "Loi de mise en œuvre de l’Accord atlantique Canada — Terre-Neuve",
        "Loi de mise en œuvre de l’Accord atlantique Canada — Terre-Neuve-et-Labrador",
    ),
    "ca:act:C-7.8": (
        "Loi de mise en œuvre de l’Accord Canada — Nouvelle-Écosse sur les hydrocarbures extracôtiers",
    ),
    "ca:act:C-44": (
        "Loi sur les corporations commerciales canadiennes",
        "Loi sur les sociétés commerciales canadiennes",
    ),
    "ca:act:C-45.7": ("Cree-Naskapi (of Quebec) Act", "Loi sur les Cris et les Naskapis du Québec"),
    "ca:act:E-3": ("Loi sur la revision des limites des circonscriptions électorales",),
    "ca:act:F-4": (
        "Farm Products Marketing Agencies Act",
        "Loi sur les offices de commercialisation des produits de ferme",
    ),
    "ca:act:F-7": ("Federal Court Act", "Loi sur la Cour fédérale"),
    "ca:act:F-9": ("Loi relative aux aliments de bétail",),
    "ca:act:F-11": ("Loi sur l’administration financière",),
    "ca:act:F-11.67": (
        "First Nations Fiscal and Statistical Management Act",
        "Loi sur la gestion financière et statistique des premières nations",
    ),
    "ca:act:F-14": ("Loi sur les pêcheries",),
    "ca:act:F-22": ("Loi sur les prêts aidant aux opérations de pêche",),
    "ca:act:F-27": ("Loi des aliments et drogues",),
    "ca:act:G-5": ("Loi sur l’indemnisation des employés de l’État",),
    "ca:act:H-5.7": (
        "Department of Human Resources and Skills Development Act",
        "Loi sur le ministère des Ressources humaines et du Développement des compétences",
    ),
    "ca:act:I-5": ("Loi des Indiens", "Loi des sauvages"),
    "ca:act:I-11": ("Loi des enquêtes",),
    "ca:act:M-5": ("Loi sur les allocations de retraite des membres du Parlement",),
    "ca:act:M-13": ("Loi de 1980 sur les subventions aux municipalités",),
    "ca:act:N-22": (
        "Navigable Waters Protection Act",
        "Navigation Protection Act",
        "Loi sur la protection de la navigation",
        "Loi sur la protection des eaux navigables",
    ),
    "ca:act:O-7": (
        "Oil and Gas Production and Conservation Act",
        "Loi sur la production et la conservation du pétrole et du gaz",
    ),
    "ca:act:O-9": (
        "Loi canadienne sur la sécurité de la vieillesse",
        "Loi sur la sécurité de la vieillesse du Canada",
        "Loi sur la sécurité de vieillesse",
    ),
    "ca:act:P-1": ("Loi sur le Parlement",),
    "ca:act:P-6": ("Loi des pensions",),
    # Its former French title is still that of the act it replaced.
    "ca:act:P-33.3": ("Public Service Labour Relations Act",),
    "ca:act:P-33.35": (
        "Public Service Labour Relations and Employment Board Act",
        "Loi sur la Commission des relations de travail et de l’emploi dans la fonction publique",
    ),
    "ca:act:P-36": ("Loi sur la pension du service public",),
    "ca:act:T-11.5": ("Tobacco Act", "Loi sur le tabac"),
    "ca:act:W-9": ("Loi sur la faune du Canada",),
}
