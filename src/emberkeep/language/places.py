"""Places that contain many towns: countries, their larger parts, continents. Known by their English names."""

import re

_COUNTRIES = """
Afghanistan Albania Algeria Andorra Angola Argentina Armenia Australia Austria Azerbaijan Bahrain Bangladesh Barbados
Belarus Belgium Belize Benin Bhutan Bolivia Bosnia Botswana Brazil Brunei Bulgaria Burundi Cambodia Cameroon Canada
Chad Chile China Colombia Comoros Congo Croatia Cuba Cyprus Czechia Denmark Ecuador Egypt England Eritrea Estonia
Eswatini Ethiopia Fiji Finland France Gabon Gambia Georgia Germany Ghana Greece Guatemala Guinea Guyana Haiti Honduras
Hungary Iceland India Indonesia Iran Iraq Ireland Israel Italy Jamaica Japan Jordan Kazakhstan Kenya Kosovo Kuwait
Kyrgyzstan Laos Latvia Lebanon Lesotho Liberia Libya Liechtenstein Lithuania Luxembourg Madagascar Malawi Malaysia
Maldives Mali Malta Mauritania Mauritius Mexico Moldova Mongolia Montenegro Morocco Mozambique Myanmar Namibia Nepal
Netherlands Holland Nicaragua Niger Nigeria Norway Oman Pakistan Palestine Panama Paraguay Peru Philippines Poland
Portugal Qatar Romania Russia Rwanda Samoa Scotland Senegal Serbia Singapore Slovakia Slovenia Somalia Spain Sudan
Suriname Sweden Switzerland Syria Taiwan Tajikistan Tanzania Thailand Togo Tunisia Turkey Turkmenistan Uganda Ukraine
Uruguay Uzbekistan Venezuela Vietnam Wales Yemen Zambia Zimbabwe UK US USA UAE America Britain
""".split()
_PARTS = """
Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Hawaii Idaho Illinois Indiana Iowa
Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada
Ohio Oklahoma Oregon Pennsylvania Tennessee Texas Utah Vermont Virginia Wisconsin Wyoming Ontario Alberta Manitoba
Saskatchewan Bavaria Saxony Hesse Brandenburg Tuscany Sicily Sardinia Lombardy Brittany Normandy Provence Catalonia
Andalusia Queensland Tasmania Europe Asia Africa Scandinavia Oceania
""".split()
_OF_TWO_WORDS = """
Costa Rica, El Salvador, New Zealand, North Korea, South Korea, North Macedonia, Papua New Guinea, Puerto Rico,
Saudi Arabia, Sierra Leone, South Africa, Sri Lanka, Ivory Coast, Burkina Faso, Czech Republic, Dominican Republic,
United Kingdom, United States, United States of America, United Arab Emirates, Great Britain, Northern Ireland,
New Hampshire, New Jersey, New Mexico, North Carolina, North Dakota, Rhode Island, South Carolina, South Dakota,
West Virginia, British Columbia, Nova Scotia, New South Wales, Western Australia, South Australia, North America,
South America, Latin America, Central America, Southeast Asia, Eastern Europe, Western Europe, Southern Europe
"""
_WIDE = frozenset(
    name.casefold() for name in (*_COUNTRIES, *_PARTS, *re.split(r",\s*", " ".join(_OF_TWO_WORDS.split())))
) - {"singapore"}  # a town as well
# A direction before a place: "northern Italy".
_QUARTER = re.compile(r"^(?:the )?(?:(?:north|south|east|west)(?:ern)? )?")


def is_wide(place: str) -> bool:
    """Return whether a place is a country, a large part of one, or larger."""
    plain = place.casefold().replace(".", "").strip()
    return plain.removeprefix("the ") in _WIDE or _QUARTER.sub("", plain) in _WIDE
