"""Millennium Blades: the worth of a card in a deck for the steady bot, in reputation."""

WORTH: dict[str, int] = {
    "bertram_explorer": 16, "elco_apprentice_mage": 14, "hemsey_the_snitch": 1, "malcombe_footman": 9,
    "orella_priestess_in_training": 10, "trenneth_novice_archer": 14, "batfire_bat_out_of_hell": 16,
    "berkenstock_the_chemist": 14, "bessie_the_holy_cow": 16, "digclaw_the_mole": 17, "dr_penguin_evil_genius": 15,
    "ghasticus_the_wind_spirit": 9, "lame_duck_the_last_resort": 3, "lars_pikeman": 1, "mara_apprentice_thief": 14,
    "martus_keeper_of_fates": 3, "poppin_the_unfriendly_ghost": 15, "pyotr_ghost_hunter": 1,
    "aberforth_low_summoner": 2, "bernie_pyromancer": 2, "deep_ray_undersea_stalker": 11, "dirtbag_the_sandman": 9,
    "florian_the_dryad": 4, "goloronicus_sword_of_heroes": 9, "kamen_the_masked_priest": 0,
    "necronamicus_helbanes_sword": 9, "rocketman_kev": 11, "salamander_volcanic_lizard": 9, "waverly_the_witch": 7,
    "wenglie_the_harpy": 9, "birdkeeper_arica": 16, "cannon_technician_meryl": 3, "cloud_boss_boss_of_a_cloud": 14,
    "dark_storm_magical_pony": 13, "devouring_worm": 14, "donteles_the_frozen": 0, "ironblight_the_golem": 15,
    "looch_wrestler_of_light": 2, "mummer_the_merman": 13, "pure_snow_magical_pony": 14,
    "red_djinn_keeper_of_flames": 12, "vectis_necromancer": 0, "dark_sentinel_helbane": 3,
    "doubleshark_twice_the_shark": 12, "g_r_guardian_of_the_crystal": 10, "grand_inquisitor_melchior": 26,
    "king_of_the_faraway_mountain": 16, "lenore_the_raven_queen": 12, "moai_mysterious_hero": 14,
    "maximimilan_mathematician": 12, "neverway_when_pigs_fly": 26, "parker_big_game_hunter": 17,
    "shaalisaar_heroine_of_the_axe": 10, "yurgatrox_herald_of_doom": 0, "archmage_kastah": 12,
    "city_backed_sky_whale": 26, "dark_destruction_dragon_of_q": 5, "javier_the_legendary_general": 10,
    "master_archer_shmup": 3, "monolith_of_artabayaxnias": 2, "burnizard_ex_omega_revolver_j": 7,
    "chase_the_price_sculptor": 10, "doctor_balance": 24, "j_dogg_hackson": 6, "matsu_the_butcher": 8,
    "exaltius_the_untenable": 6, "evil_helbane": 4, "elvan_mage_adept_elco": 4, "high_priestess_orella": 4,
    "imperial_assassin_mara": 4, "knight_captain_malcombe": 4, "trenneth_hero_of_greendew": 4,
    "brikzaar": 18, "jeff": 18, "omega_mega_zexxor_rex": 18, "rofopocalypse": 18, "tia": 18, "ultrameanicus": 18,
    "kingmaker": 20, "pauper": 22, "metagamer": 18, "numerology": 18, "power_play": 8, "cosplay_set": 12,
    "custom_concept": 15, "blackout": 1, "star_booster": 8, "rant_energy_drink": 9, "deck_protectors": 5,
    "double_platinum_sleeves": 6, "helbane_plushie": 6, "the_one": 1, "proxy_card": 1, "x_ray_glasses": 1,
    "branded_card_binder": 2, "card_modification_marker": 1, "shadow_realm_ticket": 1, "vip_pass": 3,
    "mono_animal_farmhand": 17, "mono_citizen_contract": 16, "mono_construct_tinkerbox": 14, "mono_mage_academy": 14,
    "mono_myth_storybook": 14, "mono_soldier_warband": 14,
}  # fmt: skip

LOSES_ITS_WORTH = frozenset((
    "deep_ray_undersea_stalker", "dirtbag_the_sandman", "goloronicus_sword_of_heroes", "necronamicus_helbanes_sword",
    "salamander_volcanic_lizard", "wenglie_the_harpy", "cloud_boss_boss_of_a_cloud", "dark_storm_magical_pony",
    "devouring_worm", "mummer_the_merman", "pure_snow_magical_pony", "red_djinn_keeper_of_flames",
    "crystal_blade_zedaxis", "infernalatius_maximus", "necronamicus_unbound", "soul_caliper",
))  # fmt: skip
"""Cards that have done everything once they are played. Afterwards they can be spent for a clash."""
