BEGIN TRANSACTION;
CREATE TABLE api_keys (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	name VARCHAR(256) NOT NULL, 
	secret_hash BLOB NOT NULL, 
	role VARCHAR(16) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	created_at BIGINT NOT NULL, 
	expires_at BIGINT, 
	revoked_at BIGINT, 
	last_used_at BIGINT, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "api_keys" VALUES('default','15181bd56b334539','a bot of default',X'57C3C9D14962DB72E3FCC140CBA12E2F8F4D88087D7FBEEEEFE3E4BA82051294','write','',1778166000000000,NULL,NULL,NULL);
INSERT INTO "api_keys" VALUES('acme','1e25f476ca104577','a bot of acme',X'CC93FF2A5D015F595C44F696CE7DC84EFCF6725C2FE63DBA6C6C604C8C1D3C75','write','',1778058000000000,NULL,NULL,NULL);
CREATE TABLE attributes (
	tenant VARCHAR(256) NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	attribute BLOB NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	PRIMARY KEY (tenant, item_id, attribute), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7001-9850-99095aa30016',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7001-9850-99095aa30016',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7001-9850-99095aa30016',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7002-9a67-036f9b540d6b',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7002-9a67-036f9b540d6b',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7002-9a67-036f9b540d6b',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c',X'8F6E29CFB2F0DF76F9F90F221EDF3A7B','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7001-a4e6-ed24ec636a8a',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7001-a4e6-ed24ec636a8a',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7001-a4e6-ed24ec636a8a',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7001-a4e6-ed24ec636a8a',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7002-80a1-271e58662792',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7002-80a1-271e58662792',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7002-80a1-271e58662792',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7002-80a1-271e58662792',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177',X'DA8618A10D16CC901DE629DF8BC8520D','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7001-b8bd-ecface4abd12',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7001-b8bd-ecface4abd12',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7001-b8bd-ecface4abd12',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7001-b8bd-ecface4abd12',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7002-908f-391ebc070e83',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7002-908f-391ebc070e83',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7002-908f-391ebc070e83',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7002-908f-391ebc070e83',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7001-8d9f-28984b14267f',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7001-8d9f-28984b14267f',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7001-8d9f-28984b14267f',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'8F6E29CFB2F0DF76F9F90F221EDF3A7B','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7006-a7f9-a0141afb962a',X'DBF9868785714C2519824D5A01BEA297','sam');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7006-a7f9-a0141afb962a',X'C9D2D025F172472CF04A7F5FD31A0E97','sam');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7006-a7f9-a0141afb962a',X'4C61651C798BCE3BA89B6835E23A0FF5','sam');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7001-a57a-d20d5d9ae674',X'3B34F04DA97931D811CCD5E524EB33CC','');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7006-ba39-87069d330012',X'4D555B1FA9C24B87096C78E4D3CCBB80','alex');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7006-ba39-87069d330012',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7001-9715-4b77682cfb7a',X'8F79605235AF631E5495F619C7753E08','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7001-9715-4b77682cfb7a',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7004-95c1-0d570943c999',X'8F79605235AF631E5495F619C7753E08','alex');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7004-95c1-0d570943c999',X'DCAD0DE3D7D9126A00B0F85FF36CD674','alex');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7004-95c1-0d570943c999',X'8E30446C18466AE7EBE553056CBA417B','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7004-ad41-ec062aa815c2',X'863F6A295C1A45B9EDB57DA202C347A4','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7004-ad41-ec062aa815c2',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7001-a024-70c78bc0b080',X'052592B29BF10305BF2E163ED6D7A49B','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7001-a024-70c78bc0b080',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7002-ae0a-5429c27f2e84',X'052592B29BF10305BF2E163ED6D7A49B','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7002-ae0a-5429c27f2e84',X'DCAD0DE3D7D9126A00B0F85FF36CD674','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7002-ae0a-5429c27f2e84',X'8E30446C18466AE7EBE553056CBA417B','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7004-9ce2-260786eb44ca',X'130A6ABE8620931615BA8DF00BBE430C','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7004-9ce2-260786eb44ca',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7001-8038-703889f8261a',X'4651B5A793CDCA26E9A3EEA6DB3C55BD','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7001-8038-703889f8261a',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7002-9744-7ed136409366',X'4651B5A793CDCA26E9A3EEA6DB3C55BD','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7002-9744-7ed136409366',X'A98060A32A5BCBA7622E5BD6FD8BFD85','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7002-9744-7ed136409366',X'8E30446C18466AE7EBE553056CBA417B','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7004-b000-45c8716724b6',X'CBF449B7D91A69E3FBBC9A5C9ED0A027','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7004-b000-45c8716724b6',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7001-ad49-61f28f44bd15',X'C4AA9D9AA12D779D1CD2D827C0AF98C7','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7001-ad49-61f28f44bd15',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7002-b9c5-be7a4347c1e8',X'C4AA9D9AA12D779D1CD2D827C0AF98C7','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7002-b9c5-be7a4347c1e8',X'DCAD0DE3D7D9126A00B0F85FF36CD674','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7002-b9c5-be7a4347c1e8',X'8E30446C18466AE7EBE553056CBA417B','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7004-be28-8821b2407a05',X'5F670ABFF74ABAF267A83DA97964A550','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7004-be28-8821b2407a05',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7001-8a3f-78408dbc7836',X'56459E3E7884C260D34FEAB59689F33D','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7001-8a3f-78408dbc7836',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7002-b9ad-6b25ef11909c',X'56459E3E7884C260D34FEAB59689F33D','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7002-b9ad-6b25ef11909c',X'A98060A32A5BCBA7622E5BD6FD8BFD85','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7002-b9ad-6b25ef11909c',X'8E30446C18466AE7EBE553056CBA417B','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7003-bb0b-8e214470970f',X'B080B53D849854B73E97416A1F1D0817','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7003-bb0b-8e214470970f',X'BCD5E88DA9398551B0DC5AEC930DEB60','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7003-bb0b-8e214470970f',X'FD3D575991107C55119CBA6F8A2CC5B3','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7004-96ae-2588dbbfde26',X'D66B48115C7ABE71B4B8CE4A9F51B284','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7004-96ae-2588dbbfde26',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7006-866f-96cca7745926',X'5654952A503658694770DDD9C86DDDAE','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7006-866f-96cca7745926',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7000-99fc-291bca371be2',X'B1083755A288E78FB106EB78055E2DAF','alex');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7003-a864-85881549afce',X'1D910B8FF7D9C5EFC6857FE5990BEAAC','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7003-a864-85881549afce',X'1FF8A1C874BB60FA53764F68A0B22B6D','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7005-92f2-79f17fd7dc33',X'4C70D0DFFCD11BD3E5C5283EC4534551','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7005-92f2-79f17fd7dc33',X'72D6D5604FC851BCEC8A334D6377ED1E','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7005-92f2-79f17fd7dc33',X'D2EAC2B0C68FB8F0CDB104132BD2E4E3','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7007-8d86-62abacfe824d',X'8025A75B80523580D9CFA3728AF9658B','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7007-8d86-62abacfe824d',X'95B19362BB5BC8355A620C47ABAB4C3A','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7007-8d86-62abacfe824d',X'117A82A7F22F0BB1E24643DB06A04911','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7009-8445-9a24d0accb40',X'8C0B165B94E9EC0A18EA7B9CED04267E','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7009-8445-9a24d0accb40',X'76F7A63E2B6882D1E0BCEAF01153B677','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7009-8445-9a24d0accb40',X'E2D1244C6F15EEBC3DE340B077C0DE06','');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7009-8445-9a24d0accb40',X'A9B5409E48B22E1B91B819D0956A84A0','');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7002-996a-2efca1f825eb',X'8F79605235AF631E5495F619C7753E08','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7002-996a-2efca1f825eb',X'15C23FFA5D5321EA4EC329F0DD49AD0B','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7002-996a-2efca1f825eb',X'B288D52D226A4C84308DD4B29102F450','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7002-996a-2efca1f825eb',X'EEEACC984360BF5943DC91CD68CD84C0','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7003-8573-220af6f9e8e7',X'052592B29BF10305BF2E163ED6D7A49B','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7003-8573-220af6f9e8e7',X'15C23FFA5D5321EA4EC329F0DD49AD0B','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7003-8573-220af6f9e8e7',X'B288D52D226A4C84308DD4B29102F450','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7003-8573-220af6f9e8e7',X'EEEACC984360BF5943DC91CD68CD84C0','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7004-a96a-52e9b69b0cad',X'4651B5A793CDCA26E9A3EEA6DB3C55BD','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7004-a96a-52e9b69b0cad',X'64E39E2AF34AA6D989CAEFA4953BE421','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7004-a96a-52e9b69b0cad',X'B288D52D226A4C84308DD4B29102F450','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7004-a96a-52e9b69b0cad',X'EEEACC984360BF5943DC91CD68CD84C0','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7005-8c82-12921de59e7e',X'C4AA9D9AA12D779D1CD2D827C0AF98C7','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7005-8c82-12921de59e7e',X'15C23FFA5D5321EA4EC329F0DD49AD0B','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7005-8c82-12921de59e7e',X'B288D52D226A4C84308DD4B29102F450','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7005-8c82-12921de59e7e',X'EEEACC984360BF5943DC91CD68CD84C0','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7006-8293-e16c606931e5',X'56459E3E7884C260D34FEAB59689F33D','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7006-8293-e16c606931e5',X'64E39E2AF34AA6D989CAEFA4953BE421','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7006-8293-e16c606931e5',X'B288D52D226A4C84308DD4B29102F450','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7006-8293-e16c606931e5',X'EEEACC984360BF5943DC91CD68CD84C0','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7007-b62c-0e11660fb343',X'16C51A82DAE06A4417C9800E426CFC55','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7007-b62c-0e11660fb343',X'15C23FFA5D5321EA4EC329F0DD49AD0B','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7007-b62c-0e11660fb343',X'E1EC1DFD2FEA1AED4200CFD6A6D87C46','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7007-b62c-0e11660fb343',X'EEEACC984360BF5943DC91CD68CD84C0','alex');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7008-a8e0-14213b870f0b',X'3560212605BFE51B149DA3FD1075CA71','');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7008-a8e0-14213b870f0b',X'22E7F7670B27FBC012F9292EA55B1A3C','');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7008-a8e0-14213b870f0b',X'982F8AACA5D21E071F128DBBCD7031BE','');
INSERT INTO "attributes" VALUES('default','01a60ee3-a980-7008-a8e0-14213b870f0b',X'EEEACC984360BF5943DC91CD68CD84C0','');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7011-bbd7-0fb0161c1637',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7011-bbd7-0fb0161c1637',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7011-bbd7-0fb0161c1637',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7013-977d-bb57cd0dd932',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7013-977d-bb57cd0dd932',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7013-977d-bb57cd0dd932',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0',X'8F6E29CFB2F0DF76F9F90F221EDF3A7B','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701a-8ec7-2c48c48a4999',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701a-8ec7-2c48c48a4999',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701a-8ec7-2c48c48a4999',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701a-8ec7-2c48c48a4999',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701c-aee1-054b3aaf940b',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701c-aee1-054b3aaf940b',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701c-aee1-054b3aaf940b',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701c-aee1-054b3aaf940b',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7025-ab70-4401940e4217',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7025-ab70-4401940e4217',X'DA8618A10D16CC901DE629DF8BC8520D','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7025-ab70-4401940e4217',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-702d-9837-4326cfcbbf48',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-702d-9837-4326cfcbbf48',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-702d-9837-4326cfcbbf48',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-702d-9837-4326cfcbbf48',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-702f-b407-aaa4347b0e25',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-702f-b407-aaa4347b0e25',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-702f-b407-aaa4347b0e25',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-702f-b407-aaa4347b0e25',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7036-95d2-7db1156d94a4',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7036-95d2-7db1156d94a4',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7036-95d2-7db1156d94a4',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7023-8c6d-733359af883f',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7023-8c6d-733359af883f',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7023-8c6d-733359af883f',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5',X'8F6E29CFB2F0DF76F9F90F221EDF3A7B','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7044-af31-d513e0488699',X'DBF9868785714C2519824D5A01BEA297','sam');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7044-af31-d513e0488699',X'C9D2D025F172472CF04A7F5FD31A0E97','sam');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7044-af31-d513e0488699',X'4C61651C798BCE3BA89B6835E23A0FF5','sam');
CREATE TABLE audit (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	at BIGINT NOT NULL, 
	who VARCHAR(256) NOT NULL, 
	action VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	what JSON NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "audit" VALUES('default','019e02f3-e980-700b-9652-1c32751b4b5b',1778166000000000,'local','key.created','','{"id": "15181bd56b334539", "name": "a bot of default", "role": "write"}');
INSERT INTO "audit" VALUES('default','019e02f3-e980-700c-92e4-8a511e079a17',1778166000000000,'local','tested','alex','{"rows": 3}');
INSERT INTO "audit" VALUES('acme','01a60ee3-a980-704c-8d72-66fa658bfa15',1778058000000000,'local','key.created','','{"id": "1e25f476ca104577", "name": "a bot of acme", "role": "write"}');
INSERT INTO "audit" VALUES('acme','01a60ee3-a980-704d-8e5d-aeef4aef1279',1778058000000000,'local','tested','alex','{"rows": 3}');
CREATE TABLE cached_patterns (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	"trigger" TEXT NOT NULL, 
	action TEXT NOT NULL, 
	successes INTEGER NOT NULL, 
	failures INTEGER NOT NULL, 
	used_at BIGINT, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
CREATE TABLE claims (
	tenant VARCHAR(256) NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	subject TEXT NOT NULL, 
	relation TEXT NOT NULL, 
	value TEXT NOT NULL, 
	stems TEXT NOT NULL, 
	single BOOLEAN NOT NULL, 
	negated BOOLEAN NOT NULL, 
	PRIMARY KEY (tenant, item_id), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "claims" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c','alex','','home','lisbon','8560487722268418183',1,0);
INSERT INTO "claims" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6','alex','sister','name','mia','15767809904061340542',0,0);
INSERT INTO "claims" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','alex','','home','porto','3421188013931053622',1,0);
INSERT INTO "claims" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e','alex','','likes','plums','16583067884780624945',0,0);
INSERT INTO "claims" VALUES('default','019dfc83-f680-7009-b686-613b898c94a8','alex','','prefers','aisle seat','10399262693697425903 10258756856396475753',0,0);
INSERT INTO "claims" VALUES('default','019e01aa-5280-7001-a57a-d20d5d9ae674','','office','is','closed on mondays','13320078010170037302 155246201880403168',0,0);
INSERT INTO "claims" VALUES('default','019e01aa-5280-7002-a3f1-726423e4e765','sam','','plays','cello','896006450369257004',0,0);
INSERT INTO "claims" VALUES('default','019e01aa-5280-7003-847a-2366ad0ce564','sam','','has','boat','5466900226927393365',0,0);
INSERT INTO "claims" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0','alex','','home','lisbon','8560487722268418183',1,0);
INSERT INTO "claims" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108','alex','sister','name','mia','15767809904061340542',0,0);
INSERT INTO "claims" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','alex','','home','porto','3421188013931053622',1,0);
INSERT INTO "claims" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0','alex','','likes','plums','16583067884780624945',0,0);
CREATE TABLE config_changes (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	"key" TEXT NOT NULL, 
	old JSON, 
	new JSON, 
	who TEXT NOT NULL, 
	why TEXT NOT NULL, 
	occurred_at BIGINT NOT NULL, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "config_changes" VALUES('default','019e02f3-e980-7006-8561-9212fbd7d0ab','','','','retries',2,3,'sam','It was flaky',1778166000000000,'{}',1778166000000000,1778166000000000);
CREATE TABLE contexts (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	at BIGINT NOT NULL, 
	task TEXT NOT NULL, 
	max_tokens INTEGER NOT NULL, 
	total_tokens INTEGER NOT NULL, 
	settings JSON NOT NULL, 
	entries JSON NOT NULL, 
	degraded JSON NOT NULL, 
	helpful BOOLEAN, 
	note TEXT, 
	rated_at BIGINT, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "contexts" VALUES('default','01a60ee3-a980-700b-b627-abbb078a7281','alex','','',1812726000000000,'Plan a weekend for Alex',300,292,'{"tiers": ["operational", "working", "longterm", "knowledge"], "format": "markdown", "shares": {"floors": {"operational": 0.1, "working": 0.15, "longterm": 0.15, "knowledge": 0.1}, "ceilings": {"operational": 0.25, "working": 0.5, "longterm": 0.8, "knowledge": 0.5}, "record": 0.5, "most": {}}, "plan": {"name": "balanced", "channels": ["dense", "neighbours", "meanings", "lexical", "window", "session", "speaker", "time", "shape", "facts", "links"], "candidates": 100, "weights": {}, "exact": false, "closer": 40, "reread": 10, "stale_loss": 1.0, "statement_loss": 0.3, "echo_loss": 1.0, "warm": 0.1}, "asked_at": "2027-06-11T15:00:00+00:00", "where": {"user_id": "alex", "shared": [], "agent_id": null, "session_id": null, "tags": [], "filters": [], "since": null, "until": null, "as_of": null, "kinds": []}}','[["item:019e02f3-e980-7000-99fc-291bca371be2", "longterm", "preference", 1.0, 25, "chosen", ""], ["state", "operational", "state", 0.5, 24, "chosen", ""], ["item:019ded10-e280-7003-a9fb-388c22e44cb6", "longterm", "fact", 0.329132458, 21, "chosen", ""], ["item:01a60ee3-a980-7005-8c82-12921de59e7e", "longterm", "summary", 0.167168497, 52, "chosen", ""], ["item:019df75d-9a80-7003-9eea-bac37a0dde8e", "longterm", "preference", 0.108155529, 18, "chosen", ""], ["item:01a60ee3-a980-7001-8705-a104ba676462", "longterm", "episode", 0.100451123, 21, "chosen", ""], ["item:019e024f-1e00-7004-b000-45c8716724b6", "working", "decision", 0.091762459, 22, "chosen", ""], ["item:01a60ee3-a980-7002-996a-2efca1f825eb", "longterm", "summary", 0.077396478, 52, "dropped", "over budget"], ["item:019e024f-1e00-7002-b9c5-be7a4347c1e8", "working", "succeeded execution", 0.056070749, 23, "chosen", ""], ["item:01a60ee3-a980-7007-b62c-0e11660fb343", "longterm", "summary", 0.055278457, 28, "dropped", "over budget"], ["item:019e01aa-5280-7006-ba39-87069d330012", "working", "decision", 0.050818389, 22, "chosen", ""], ["goal:g1", "working", "running goal", 0.045433786000000004, 18, "chosen", ""], ["task:t5", "working", "running task", 0.045433786000000004, 18, "chosen", ""], ["item:019e0218-2f80-7004-9ce2-260786eb44ca", "working", "decision", 0.040049183, 22, "dropped", "over budget"], ["item:019e0286-0c80-7004-be28-8821b2407a05", "working", "decision", 0.037203553, 22, "dropped", "over budget"], ["item:01a60ee3-a980-7004-a96a-52e9b69b0cad", "longterm", "summary", 0.031130258, 50, "dropped", "over budget"], ["item:019e02bc-fb00-7006-866f-96cca7745926", "working", "decision", 0.028516768, 22, "dropped", "over budget"], ["item:01a60ee3-a980-7006-8293-e16c606931e5", "longterm", "summary", 0.02659282, 50, "dropped", "over budget"], ["item:01a60ee3-a980-7009-80d8-8a2d26f44045", "longterm", "episode", 0.020845712, 18, "dropped", "over budget"], ["item:019e01aa-5280-7004-95c1-0d570943c999", "working", "succeeded execution", 0.020246547, 23, "dropped", "over budget"], ["item:019e02bc-fb00-7003-bb0b-8e214470970f", "working", "pattern", 0.014729338, 26, "dropped", "over budget"], ["item:019e0218-2f80-7002-9744-7ed136409366", "working", "failed execution", 0.013895976, 23, "dropped", "over budget"], ["item:019e0286-0c80-7002-b9ad-6b25ef11909c", "working", "failed execution", 0.011468054, 23, "dropped", "over budget"]]','[]',NULL,NULL,NULL);
INSERT INTO "contexts" VALUES('acme','01a60ee3-a980-7058-87a9-4c4d79a628ba','alex','','',1812618000000000,'Plan a weekend for Alex',300,124,'{"tiers": ["operational", "working", "longterm", "knowledge"], "format": "markdown", "shares": {"floors": {"operational": 0.1, "working": 0.15, "longterm": 0.15, "knowledge": 0.1}, "ceilings": {"operational": 0.25, "working": 0.5, "longterm": 0.8, "knowledge": 0.5}, "record": 0.5, "most": {}}, "plan": {"name": "balanced", "channels": ["dense", "neighbours", "meanings", "lexical", "window", "session", "speaker", "time", "shape", "facts", "links"], "candidates": 100, "weights": {}, "exact": false, "closer": 40, "reread": 10, "stale_loss": 1.0, "statement_loss": 0.3, "echo_loss": 1.0, "warm": 0.1}, "asked_at": "2027-06-10T09:00:00+00:00", "where": {"user_id": "alex", "shared": [], "agent_id": null, "session_id": null, "tags": [], "filters": [], "since": null, "until": null, "as_of": null, "kinds": []}}','[["item:01a60ee3-a980-701e-b40b-943e1180d108", "longterm", "fact", 1.0, 21, "chosen", ""], ["item:01a60ee3-a980-7050-95b8-c644527e0863", "longterm", "episode", 0.520646488, 21, "chosen", ""], ["item:01a60ee3-a980-7031-84f5-1486ede6bbc0", "longterm", "preference", 0.322937654, 18, "chosen", ""], ["item:01a60ee3-a980-7053-ade5-0db4d1fe7c5d", "longterm", "episode", 0.108045052, 18, "chosen", ""], ["item:01a60ee3-a980-7027-bec9-e895c2b527f5", "longterm", "fact", 0.030084867, 18, "chosen", ""], ["item:01a60ee3-a980-7055-8d0a-d0e5ce0d4be0", "longterm", "episode", 0.023555664, 16, "dropped", "small talk"]]','[]',NULL,NULL,NULL);
CREATE TABLE decisions (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	goal_id VARCHAR(256), 
	task_id VARCHAR(256), 
	who TEXT NOT NULL, 
	what TEXT NOT NULL, 
	why TEXT NOT NULL, 
	context TEXT NOT NULL, 
	alternatives JSON NOT NULL, 
	confidence FLOAT, 
	outcome TEXT, 
	success BOOLEAN, 
	archived_at BIGINT, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "decisions" VALUES('default','019e01aa-5280-7005-bf4c-b926b3d75f89','alex','','',NULL,'t0','','Roll out part 0','It is ready','','[]',NULL,NULL,NULL,1812726000000000,'{}',1778144400000000,1778144400000000);
INSERT INTO "decisions" VALUES('default','019e01e1-4100-7003-b8e0-3b8735cf9b5c','alex','','',NULL,'t1','','Roll out part 1','It is ready','','[]',NULL,NULL,NULL,1812726000000000,'{}',1778148000000000,1778148000000000);
INSERT INTO "decisions" VALUES('default','019e0218-2f80-7003-b8f8-83846af3267e','alex','','',NULL,'t2','','Roll out part 2','It is ready','','[]',NULL,NULL,NULL,1812726000000000,'{}',1778151600000000,1778151600000000);
INSERT INTO "decisions" VALUES('default','019e024f-1e00-7003-ab0a-b4154d8babd5','alex','','',NULL,'t3','','Roll out part 3','It is ready','','[]',NULL,NULL,NULL,1812726000000000,'{}',1778155200000000,1778155200000000);
INSERT INTO "decisions" VALUES('default','019e0286-0c80-7003-99bc-42a8eadefdef','alex','','',NULL,'t4','','Roll out part 4','It is ready','','[]',NULL,NULL,NULL,1812726000000000,'{}',1778158800000000,1778158800000000);
INSERT INTO "decisions" VALUES('default','019e02bc-fb00-7005-ac06-ac70921bc9c6','alex','','',NULL,'t5','','Roll out part 5','It is ready','','[]',NULL,NULL,NULL,NULL,'{}',1778162400000000,1778162400000000);
CREATE TABLE deliveries (
	tenant VARCHAR(256) NOT NULL, 
	sink VARCHAR(256) NOT NULL, 
	event_id VARCHAR(256) NOT NULL, 
	attempts INTEGER NOT NULL, 
	due_at BIGINT NOT NULL, 
	holder VARCHAR(32), 
	failed BOOLEAN NOT NULL, 
	reason TEXT, 
	PRIMARY KEY (tenant, sink, event_id), 
	FOREIGN KEY(tenant, event_id) REFERENCES outbox (tenant, id) ON DELETE CASCADE
);
CREATE TABLE documents (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	title TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	media_type VARCHAR(64) NOT NULL, 
	content_hash BLOB NOT NULL, 
	chunks INTEGER NOT NULL, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "documents" VALUES('default','019e02f3-e980-7008-af92-06a92330be5d','','','','Manual','','text/markdown',X'814539CDE5CC00C9E0CF5974EFBF275A14148FC23BB8B57DA68EA137CA35C009',1,'{}',1778166000000000,1778166000000000);
CREATE TABLE emberkeep_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT emberkeep_version_pkc PRIMARY KEY (version_num));
INSERT INTO "emberkeep_version" VALUES('0012');
CREATE TABLE entries (
	tenant VARCHAR(256) NOT NULL, 
	drawer VARCHAR(16) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	"key" VARCHAR(256) NOT NULL, 
	value JSON, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, drawer, user_id, agent_id, "key")
);
INSERT INTO "entries" VALUES('default','preference','alex','','theme','{"name": "dark"}',1778166000000000);
INSERT INTO "entries" VALUES('default','persona','','','mood','"calm"',1778166000000000);
INSERT INTO "entries" VALUES('default','agent','','voxa','voxa','{"status": "idle", "state": {"seen": [1, 2]}}',1778166000000000);
CREATE TABLE events (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	at BIGINT NOT NULL, 
	category TEXT NOT NULL, 
	severity VARCHAR(16) NOT NULL, 
	source TEXT NOT NULL, 
	message TEXT NOT NULL, 
	data JSON, 
	archived_at BIGINT, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "events" VALUES('default','019e02f3-e980-700a-bb37-68fdf319f7aa',1778166000000000,'power','critical','','It went out',NULL,1812726000000000);
CREATE TABLE executions (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	task_id VARCHAR(256) NOT NULL, 
	type TEXT NOT NULL, 
	description TEXT NOT NULL, 
	summary TEXT NOT NULL, 
	success BOOLEAN NOT NULL, 
	errors JSON NOT NULL, 
	tools JSON NOT NULL, 
	code TEXT, 
	reused INTEGER NOT NULL, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "executions" VALUES('default','019e01e1-4100-7000-ab96-721fc3ce871d','alex','','','t0','','Deploy part 0','Part 0 went out',1,'[]','["kubectl"]',NULL,0,'{"last_step": 1}',1778148000000000,1778148000000000);
INSERT INTO "executions" VALUES('default','019e0218-2f80-7000-8644-c32a6fe70e5b','alex','','','t1','','Deploy part 1','Part 1 went out',1,'[]','["kubectl"]',NULL,0,'{"last_step": 1}',1778151600000000,1778151600000000);
INSERT INTO "executions" VALUES('default','019e024f-1e00-7000-ac0f-f0fccf1e7a59','alex','','','t2','','Deploy part 2','Part 2 went out',0,'[]','["ssh"]',NULL,0,'{"last_step": 1}',1778155200000000,1778155200000000);
INSERT INTO "executions" VALUES('default','019e0286-0c80-7000-b188-bef87a81c9b8','alex','','','t3','','Deploy part 3','Part 3 went out',1,'[]','["kubectl"]',NULL,0,'{"last_step": 1}',1778158800000000,1778158800000000);
INSERT INTO "executions" VALUES('default','019e02bc-fb00-7000-b98b-2adff4c4de31','alex','','','t4','','Deploy part 4','Part 4 went out',0,'[]','["ssh"]',NULL,0,'{"last_step": 1}',1778162400000000,1778162400000000);
CREATE TABLE forgotten (
	tenant VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	content_hash BLOB NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, user_id, content_hash)
);
INSERT INTO "forgotten" VALUES('default','sam',X'BCF1A022B0EB02476FF6C8C9802901C407DDB73F077E32BEAC42CA75AEA452A7',1778058000000000);
INSERT INTO "forgotten" VALUES('acme','sam',X'B5E8315CA18E5DB70F0705332C286D8453688B15E8E9BEEF323B93714C7402AE',1778058000000000);
CREATE TABLE generation_changes (
	tenant VARCHAR(256) NOT NULL, 
	number INTEGER NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	change VARCHAR(16) NOT NULL, 
	"before" JSON, 
	PRIMARY KEY (tenant, number, item_id)
);
CREATE TABLE generations (
	tenant VARCHAR(256) NOT NULL, 
	number INTEGER NOT NULL, 
	learner VARCHAR(256) NOT NULL, 
	at BIGINT NOT NULL, 
	undone BOOLEAN NOT NULL, 
	PRIMARY KEY (tenant, number)
);
CREATE TABLE goals (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	parent_id VARCHAR(256), 
	description TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	priority INTEGER NOT NULL, 
	summary TEXT NOT NULL, 
	finished_at BIGINT, 
	archived_at BIGINT, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "goals" VALUES('default','g1','alex','','',NULL,'Ship the release','running',0,'',NULL,NULL,'{}',1778144400000000,1778144400000000);
INSERT INTO "goals" VALUES('default','g2','alex','','',NULL,'Write it up','succeeded',0,'',1778166000000000,1812726000000000,'{}',1778166000000000,1778166000000000);
CREATE TABLE history (
	tenant VARCHAR(256) NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	number BIGINT NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	at BIGINT NOT NULL, 
	action VARCHAR(32) NOT NULL, 
	version_id VARCHAR(256), 
	temperature FLOAT, 
	PRIMARY KEY (tenant, item_id, number)
);
INSERT INTO "history" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c',48,'alex',1777885200000000,'superseded',NULL,75.0);
INSERT INTO "history" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6',85,'alex',1778058000000000,'reheated',NULL,76.61);
INSERT INTO "history" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',88,'alex',1778058000000000,'reheated',NULL,76.61);
INSERT INTO "history" VALUES('default','019dfc83-f680-7007-8916-2edd5f30db8c',0,'sam',1778058000000000,'added',NULL,NULL);
INSERT INTO "history" VALUES('default','019dfc83-f680-7007-8916-2edd5f30db8c',39,'sam',1778058000000000,'deleted',NULL,NULL);
INSERT INTO "history" VALUES('default','019dfc83-f680-7009-b686-613b898c94a8',122,'alex',1778144400000000,'updated','019e01aa-5280-7000-9fcc-d096cf05ae2e',75.0);
INSERT INTO "history" VALUES('default','019dfc83-f680-7009-b686-613b898c94a8',126,'alex',1778144400000000,'reheated',NULL,80.0);
INSERT INTO "history" VALUES('default','019e01aa-5280-7004-95c1-0d570943c999',183,'alex',1778148000000000,'updated','019e01e1-4100-7001-9715-4b77682cfb7a',75.0);
INSERT INTO "history" VALUES('default','019e01e1-4100-7002-ae0a-5429c27f2e84',242,'alex',1778151600000000,'updated','019e0218-2f80-7001-a024-70c78bc0b080',75.0);
INSERT INTO "history" VALUES('default','019e0218-2f80-7002-9744-7ed136409366',301,'alex',1778155200000000,'updated','019e024f-1e00-7001-8038-703889f8261a',75.0);
INSERT INTO "history" VALUES('default','019e024f-1e00-7002-b9c5-be7a4347c1e8',360,'alex',1778158800000000,'updated','019e0286-0c80-7001-ad49-61f28f44bd15',75.0);
INSERT INTO "history" VALUES('default','019e0286-0c80-7002-b9ad-6b25ef11909c',419,'alex',1778162400000000,'updated','019e02bc-fb00-7001-8a3f-78408dbc7836',75.0);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0',48,'alex',1777885200000000,'superseded',NULL,75.0);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-7023-8c6d-733359af883f',85,'alex',1778058000000000,'reheated',NULL,76.61);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5',88,'alex',1778058000000000,'reheated',NULL,76.61);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-7047-a37a-870fdc425d7c',0,'sam',1778058000000000,'added',NULL,NULL);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-7047-a37a-870fdc425d7c',39,'sam',1778058000000000,'deleted',NULL,NULL);
CREATE TABLE idempotency (
	tenant VARCHAR(256) NOT NULL, 
	who VARCHAR(256) NOT NULL, 
	"key" VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	fingerprint BLOB NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	holder VARCHAR(32) NOT NULL, 
	lease_until BIGINT NOT NULL, 
	status INTEGER, 
	body TEXT, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, who, "key")
);
CREATE TABLE incidents (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	title TEXT NOT NULL, 
	description TEXT NOT NULL, 
	severity VARCHAR(16) NOT NULL, 
	cause TEXT NOT NULL, 
	resolution TEXT NOT NULL, 
	occurred_at BIGINT NOT NULL, 
	resolved_at BIGINT, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "incidents" VALUES('default','019e02f3-e980-7004-adbf-32f11ee984ed','','','','Disk full','The disk of the server was full','high','','',1778166000000000,NULL,'{}',1778166000000000,1778166000000000);
CREATE TABLE interactions (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	occurred_at BIGINT NOT NULL, 
	recorded_at BIGINT NOT NULL, 
	messages JSON NOT NULL, 
	tags JSON NOT NULL, 
	metadata JSON NOT NULL, 
	details JSON, 
	episodes BOOLEAN NOT NULL, 
	backlog VARCHAR(16), 
	attempts INTEGER NOT NULL, 
	due_at BIGINT NOT NULL, 
	lease VARCHAR(256), 
	reason TEXT, 
	learned_by VARCHAR(256), 
	utc_offset SMALLINT, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "interactions" VALUES('default','019de7ea-8680-7000-ab90-2f8911e81818','alex','voxa','s-0',1777712400000000,1777712400000000,'[{"role": "user", "content": "I moved to Lisbon.", "name": "Alex", "id": "m0"}, {"role": "assistant", "content": "Noted, on day 0."}]','[]','{"channel": "voice", "day": 0, "weight": 1.5}',NULL,1,NULL,0,1777713000000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('default','019ded10-e280-7000-8cda-ebf990d19838','alex','voxa','s-1',1777798800000000,1777798800000000,'[{"role": "user", "content": "My sister is called Mia.", "name": "Alex", "id": "m1"}, {"role": "assistant", "content": "Noted, on day 1."}]','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',NULL,1,NULL,0,1777799400000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('default','019df237-3e80-7000-b7f0-1210c3707a90','alex','voxa','s-0',1777885200000000,1777885200000000,'[{"role": "user", "content": "I moved to Porto.", "name": "Alex", "id": "m2"}, {"role": "assistant", "content": "Noted, on day 2."}]','[]','{"channel": "voice", "day": 2, "weight": 1.5}',NULL,1,NULL,0,1777885800000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('default','019df75d-9a80-7000-a147-738606f2bf7e','alex','voxa','s-1',1777971600000000,1777971600000000,'[{"role": "user", "content": "I love plums.", "name": "Alex", "id": "m3"}, {"role": "assistant", "content": "Noted, on day 3."}]','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',NULL,1,NULL,0,1777972200000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('default','019dfc83-f680-7000-b2d3-b1925e1302ca','alex','voxa','s-0',1778058000000000,1778058000000000,'[{"role": "user", "content": "I moved to Porto.", "name": "Alex", "id": "m4"}, {"role": "assistant", "content": "Noted, on day 4."}]','[]','{"channel": "voice", "day": 4, "weight": 1.5}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('default','019dfc83-f680-7002-8b08-880f0f422dbb','sam','','',1778058000000000,1778058000000000,'[{"role": "user", "content": "\u0141ukasz lives in \u6771\u4eac \ud83c\udf88."}]','[]','{}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('default','019dfc83-f680-7004-9ed3-2cab3d56d558','sam','','',1778011200000000,1778058000000000,'[{"role": "user", "content": "I''m flying to Rome tomorrow."}]','[]','{}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1',720);
INSERT INTO "interactions" VALUES('default','019dfc83-f680-7008-806d-d85b24f0c6ae','alex','','s-9',1778058000000000,1778058000000000,'[{"role": "user", "content": "Turn the light on"}, {"role": "assistant", "content": "Done."}]','[]','{}','{"llm_messages": [], "tool_calls": [{"name": "light"}], "skill_used": null, "latency_ms": {}}',1,NULL,0,1812726600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('default','01a60ee3-a980-7000-81e0-deb86d10af5d','alex','','',1812726000000000,1812726000000000,'[{"role": "user", "content": "What a long time that was."}]','[]','{}',NULL,1,NULL,0,1812726600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('default','01a60ee3-a980-700c-b78e-118d749761fa','alex','','',1812726000000000,1812726000000000,'[{"role": "user", "content": "This waits to be learned from, at default."}]','[]','{}',NULL,0,'waiting',0,0,NULL,NULL,NULL,NULL);
INSERT INTO "interactions" VALUES('default','01a60ee3-a980-700d-8938-803029e6a483','sam','','',1812726000000000,1812726000000000,'[{"role": "user", "content": "This has no vector yet, at default."}]','[]','{}',NULL,1,NULL,0,1812726600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-700f-a130-a36ea10011a8','alex','voxa','s-0',1777712400000000,1777712400000000,'[{"role": "user", "content": "I moved to Lisbon.", "name": "Alex", "id": "m0"}, {"role": "assistant", "content": "Noted, on day 0."}]','[]','{"channel": "voice", "day": 0, "weight": 1.5}',NULL,1,NULL,0,1777713000000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7018-ad86-ca290ac42e0e','alex','voxa','s-1',1777798800000000,1777798800000000,'[{"role": "user", "content": "My sister is called Mia.", "name": "Alex", "id": "m1"}, {"role": "assistant", "content": "Noted, on day 1."}]','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',NULL,1,NULL,0,1777799400000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7021-a115-495b1154d62e','alex','voxa','s-0',1777885200000000,1777885200000000,'[{"role": "user", "content": "I moved to Porto.", "name": "Alex", "id": "m2"}, {"role": "assistant", "content": "Noted, on day 2."}]','[]','{"channel": "voice", "day": 2, "weight": 1.5}',NULL,1,NULL,0,1777885800000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-702b-9b58-4bb7ffeab6c8','alex','voxa','s-1',1777971600000000,1777971600000000,'[{"role": "user", "content": "I love plums.", "name": "Alex", "id": "m3"}, {"role": "assistant", "content": "Noted, on day 3."}]','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',NULL,1,NULL,0,1777972200000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7034-9c5a-ffcd94cd1d04','alex','voxa','s-0',1778058000000000,1778058000000000,'[{"role": "user", "content": "I moved to Porto.", "name": "Alex", "id": "m4"}, {"role": "assistant", "content": "Noted, on day 4."}]','[]','{"channel": "voice", "day": 4, "weight": 1.5}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-703b-af64-427d7bee8743','sam','','',1778058000000000,1778058000000000,'[{"role": "user", "content": "\u0141ukasz lives in \u6771\u4eac \ud83c\udf88."}]','[]','{}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7040-b227-0f13b2369cd8','sam','','',1778011200000000,1778058000000000,'[{"role": "user", "content": "I''m flying to Rome tomorrow."}]','[]','{}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1',720);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-704a-b291-754a9c9078b5','alex','','s-9',1778058000000000,1778058000000000,'[{"role": "user", "content": "Turn the light on"}, {"role": "assistant", "content": "Done."}]','[]','{}','{"llm_messages": [], "tool_calls": [{"name": "light"}], "skill_used": null, "latency_ms": {}}',1,NULL,0,1812618600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-704e-902c-7b04397f224a','alex','','',1812618000000000,1812618000000000,'[{"role": "user", "content": "What a long time that was."}]','[]','{}',NULL,1,NULL,0,1812618600000000,NULL,NULL,'rules-1',NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7059-a063-0524cbd98a6a','alex','','',1812618000000000,1812618000000000,'[{"role": "user", "content": "This waits to be learned from, at acme."}]','[]','{}',NULL,0,'waiting',0,0,NULL,NULL,NULL,NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-705b-a77d-ea5044eaf31e','sam','','',1812618000000000,1812618000000000,'[{"role": "user", "content": "This has no vector yet, at acme."}]','[]','{}',NULL,1,NULL,0,1812618600000000,NULL,NULL,'rules-1',NULL);
CREATE TABLE items (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	text TEXT NOT NULL, 
	speaker VARCHAR(256), 
	gloss TEXT, 
	content_hash BLOB NOT NULL, 
	terms BLOB NOT NULL, 
	tags JSON NOT NULL, 
	metadata JSON NOT NULL, 
	occurred_at BIGINT NOT NULL, 
	recorded_at BIGINT NOT NULL, 
	valid_from BIGINT NOT NULL, 
	valid_to BIGINT, 
	superseded_by VARCHAR(256), 
	version_of VARCHAR(256), 
	temperature FLOAT NOT NULL, 
	heated_at BIGINT NOT NULL, 
	access_count INTEGER NOT NULL, 
	last_access BIGINT, 
	sacred BOOLEAN NOT NULL, 
	revision BIGINT NOT NULL, 
	unembedded BOOLEAN NOT NULL, 
	told BOOLEAN, 
	stale_from BIGINT, 
	traits INTEGER, 
	about_from BIGINT, 
	about_to BIGINT, 
	record VARCHAR(256), 
	cold BOOLEAN, 
	utc_offset SMALLINT, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "items" VALUES('default','019de7ea-8680-7001-9850-99095aa30016','alex','voxa','s-0','episode','I moved to Lisbon.','Alex',NULL,X'2A7E9B7CADF1C4C291F154004E77B0B240DDD3EA7EB7ACC55A90E24E9F13E688',X'7FEDE31D86180708010086F47B29A8480773010087E0E65D3AF6CC760100','[]','{"channel": "voice", "day": 0, "weight": 1.5}',1777712400000000,1777712400000000,1777712400000000,NULL,NULL,NULL,75.0,1777712400000000,0,NULL,0,629,0,0,1777885200000000,16,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019de7ea-8680-7002-9a67-036f9b540d6b','alex','voxa','s-0','episode','Noted, on day 0.',NULL,NULL,X'D1E22D109CD2799FED3841217AE34B7FD7A8869E077DEFABBF18FB2A076F693A',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100842B7D9D43CDDF750100','[]','{"channel": "voice", "day": 0, "weight": 1.5}',1777712400000000,1777712400000000,1777712400000000,NULL,NULL,NULL,75.0,1777712400000000,0,NULL,0,631,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c','alex','voxa','','fact','Alex moved to Lisbon',NULL,'lives in lisbon, home, where to find them',X'4393C0A76817A70798B0DBB47C2FD36CCBA6E3300191415B973B08706466951E',X'7FEDE31D86180708010086F47B29A8480773010087E0E65D3AF6CC7602008741A276BDD1D2200100A76316F670584A9301006332E5D2FAB588150100','["event"]','{"channel": "voice", "day": 0, "weight": 1.5, "learner": "rules-1"}',1777712400000000,1777712400000000,1777712400000000,1777885200000000,'019df237-3e80-7003-af6e-0d935520dd4c',NULL,75.0,1777712400000000,0,NULL,0,633,0,0,NULL,0,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019ded10-e280-7001-a4e6-ed24ec636a8a','alex','voxa','s-1','episode','My sister is called Mia.','Alex',NULL,X'0D48BB01779F067E602C4397F065C75537CB3BE4B69975AA60E20FFE3963276F',X'7FEDE31D8618070801005A4676E5CF96E20D0100DA2AD283AD3E175F01007E5B76F99083D2DA0100','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,635,0,0,NULL,16,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019ded10-e280-7002-80a1-271e58662792','alex','voxa','s-1','episode','Noted, on day 1.',NULL,NULL,X'AE5974258CF2E7FDB49AB3384691EAA050ADFC660EA56543DCDB317E2CD55BEB',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100F6FC42039FBA37760100','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,637,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6','alex','voxa','','fact','Alex''s sister is called Mia',NULL,'is called mia',X'F615D67E41296964D9DBBE28D50F41295EA7B64321BAFB52CA549C0F1F7D7976',X'7FEDE31D8618070801005A4676E5CF96E20D0100DA2AD283AD3E175F02007E5B76F99083D2DA0200','["home"]','{"channel": "voice", "day": 1, "weight": 1.5, "learner": "rules-1"}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,26,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6','alex','voxa','s-0','episode','I moved to Porto.','Alex',NULL,X'7662DA8B57C6981EDCC7BBE2D23B69F4662B8EAFD253BACC9D0EF0FBE23A6535',X'7FEDE31D86180708010086F47B29A8480773010036422F585F807A2F0100','[]','{"channel": "voice", "day": 4, "weight": 1.5}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,76.61,1778058000000000,1,1778058000000000,0,639,0,0,NULL,16,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177','alex','voxa','s-0','episode','Noted, on day 2.',NULL,NULL,X'4E628F17746427FFA3BEC357F214C5D73DDD13216CD10987749A15FF933533AA',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA201001BF41EF6FD6F6F6C0100','[]','{"channel": "voice", "day": 2, "weight": 1.5}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,75.0,1777885200000000,0,NULL,0,641,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','alex','voxa','','fact','Alex moved to Porto',NULL,'lives in porto, home, where to find them',X'DDE9FC5D13B7C69E280D8A83D4590ADEEA2460BEAD477AAC6CBDD3D5074B0EB4',X'7FEDE31D86180708010086F47B29A8480773010036422F585F807A2F02008741A276BDD1D2200100A76316F670584A9301006332E5D2FAB588150100','["event"]','{"channel": "voice", "day": 4, "weight": 1.5, "learner": "rules-1"}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,76.61,1778058000000000,1,1778058000000000,0,47,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019df75d-9a80-7001-b8bd-ecface4abd12','alex','voxa','s-1','episode','I love plums.','Alex',NULL,X'032858A40A2E42C7CF66CBFD2F5EFD979111820150B762E35C6DCE1EAF391B59',X'7FEDE31D86180708010036CD4B265771C6360100319C895E61E422E60100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,643,0,0,NULL,16,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019df75d-9a80-7002-908f-391ebc070e83','alex','voxa','s-1','episode','Noted, on day 3.',NULL,NULL,X'54F80A8324B6CD27E5216CCCA3B60FBA2A1BA42A02D8BAA73CC16A6DB13B4532',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA201009E251905A6D98E010100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,645,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e','alex','voxa','','preference','Alex loves plums',NULL,NULL,X'36FF76EEC1F01631D09E61E8D93C0C7116C6324FCC3ACADAF35924F87EB86C83',X'7FEDE31D86180708010036CD4B265771C6360100319C895E61E422E60100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5, "learner": "rules-1"}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,68,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019dfc83-f680-7001-8d9f-28984b14267f','alex','voxa','s-0','episode','Noted, on day 4.',NULL,NULL,X'A589F2D6012B1BE70F8B19FB091E5F1036487354888CAA877E9A08B6EA2013C6',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100711D7B067F3018B60100','[]','{"channel": "voice", "day": 4, "weight": 1.5}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,647,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019dfc83-f680-7003-a5a9-69d270831572','sam','','','episode','Łukasz lives in 東京 🎈.',NULL,NULL,X'28BF9F2859A4EB68067D9C5C23C10843657B3133F26A8989A1D49934654E1516',X'12B19505B53F548A01008741A276BDD1D2200100EE1155CAD1682BF00100FA18164E81F5EBCE0100061B0DDFFF309859010046E60D052B773C9F0100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,57,0,0,NULL,0,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('default','019dfc83-f680-7005-b8fd-f91d0aaa627e','sam','','','episode','I''m flying to Rome tomorrow.',NULL,NULL,X'43B3440B42B0154378EA98756E83C8CA9BDD602751515727AF167A81A70F2212',X'32DE3D78DB7580BE0100AECCCB03AD42D2570100FB25159F8E96EB070100','[]','{}',1778011200000000,1778058000000000,1778011200000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,59,0,0,NULL,18,1778112000000000,1778198399999999,NULL,1,720);
INSERT INTO "items" VALUES('default','019dfc83-f680-7006-a7f9-a0141afb962a','sam','','','fact','The user is flying to Rome on 7 May 2026',NULL,NULL,X'A1D86C2CB9243234099093093AEE5932C9202B0C77B8511BDD715D62222AF88F',X'AFDF5C9A7BD48D63010032DE3D78DB7580BE0100AECCCB03AD42D2570100E75017CACE788F82010071F7AFF705D56FD30100CC4025955488D9F20100','["plan"]','{"learner": "rules-1", "when": "2026-05-07"}',1778011200000000,1778058000000000,1778011200000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,5,0,0,NULL,6,1778112000000000,1778198399999999,NULL,NULL,720);
INSERT INTO "items" VALUES('default','019dfc83-f680-7009-b686-613b898c94a8','alex','','','preference','Prefers an aisle seat',NULL,NULL,X'2ECDC44C656353DEC42F7A6B0C7C18D637E39EAB3CB31C4263314C262EE71D57',X'2A6AE498B8BE2A050100EF91CE7F529A51900100696D9DF6016D5E8E0100','[]','{}',1778058000000000,1778058000000000,1778144400000000,NULL,NULL,NULL,80.0,1778144400000000,1,1778144400000000,1,122,0,1,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7000-9fcc-d096cf05ae2e','alex','','','preference','Prefers a window seat',NULL,NULL,X'5A652EB17E2E5B1319EAABE1346EB8AA3621813F820781C450F2E9BA81C9A8FC',X'2A6AE498B8BE2A050100D64A4EFF039F0FCD0100696D9DF6016D5E8E0100','[]','{}',1778058000000000,1778058000000000,1778058000000000,1778144400000000,'019dfc83-f680-7009-b686-613b898c94a8','019dfc83-f680-7009-b686-613b898c94a8',75.0,1778058000000000,0,NULL,1,123,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7001-a57a-d20d5d9ae674','','','','fact','The office is closed on Mondays',NULL,NULL,X'C922A9B633AC2B4E49A75E099E4D899E8196FA80C109FB6FE57AA718773D5711',X'61085F29D40E161D01003654ADA0606CDAB80100E05CCF1B998B27020100','["office"]','{}',1778144400000000,1778144400000000,1778144400000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,1,0,1,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7002-a3f1-726423e4e765','sam','','','fact','Sam plays the cello',NULL,NULL,X'06DA864E642D8B7AFE1AFEB1DC5113A8A78FB830B57AFAB143859696FA0F7B36',X'EA13FAB17FA1166101003A1EFC0904D52C7101002CDEB78E1E416F0C0100','[]','{}',1778144400000000,1778144400000000,1778144400000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,40,0,1,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7003-847a-2366ad0ce564','sam','','','fact','Sam bought a boat',NULL,NULL,X'079C8E0608EA75C20C5DF6AF5EAEC5876F8AA328BD54B5DE3DE1191B6DE8599C',X'EA13FAB17FA11661010060C172116412BA7D0100557A82A0CA54DE4B0100','[]','{}',1775088000000000,1778144400000000,1775088000000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,42,0,1,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7004-95c1-0d570943c999','alex','','','execution','Deploy part 0: Part 0 went out',NULL,NULL,X'1804F979C4C89818CBF89944DFAF1D885ACAFFDBA05D0C1561DEBBAB1C3F1AA2',X'B2531F535EB3E60601007C918B9F1008F8E40200842B7D9D43CDDF750200E0586FEEDA77CDDA0100','[]','{"task_id": "t0", "success": true, "task_type": ""}',1778144400000000,1778144400000000,1778148000000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,183,0,1,NULL,4,NULL,NULL,'execution:019e01e1-4100-7000-ab96-721fc3ce871d',NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7006-ba39-87069d330012','alex','','','decision','Roll out part 0 because It is ready',NULL,NULL,X'F4DFCE510CC2EAD8EB256EF38C5A07F7991E2B470EE96AF5E39B33C3F12D88F8',X'BEA39AE61E54F4E001007C918B9F1008F8E40100842B7D9D43CDDF7501009D7404E5AA6248690100','[]','{"decision_id": "019e01aa-5280-7005-bf4c-b926b3d75f89", "who": ""}',1778144400000000,1778144400000000,1778144400000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,164,0,1,NULL,4,NULL,NULL,'decision:019e01aa-5280-7005-bf4c-b926b3d75f89',NULL,NULL);
INSERT INTO "items" VALUES('default','019e01e1-4100-7001-9715-4b77682cfb7a','alex','','','execution','Deploy part 0',NULL,NULL,X'E63BA7D5CC6A80457CE0339EFA30C35D95F689C539B372EC32637049CAEF334B',X'B2531F535EB3E60601007C918B9F1008F8E40100842B7D9D43CDDF750100','[]','{"task_id": "t0", "status": "running"}',1778144400000000,1778144400000000,1778144400000000,1778148000000000,'019e01aa-5280-7004-95c1-0d570943c999','019e01aa-5280-7004-95c1-0d570943c999',75.0,1778144400000000,0,NULL,0,649,0,0,NULL,4,NULL,NULL,'execution:019e01e1-4100-7000-ab96-721fc3ce871d',1,NULL);
INSERT INTO "items" VALUES('default','019e01e1-4100-7002-ae0a-5429c27f2e84','alex','','','execution','Deploy part 1: Part 1 went out',NULL,NULL,X'CFB63F270A8ABCA9F51B82DB1388E3F9CC09E1B83E6C42B41B9160BF18DCE2F3',X'B2531F535EB3E60601007C918B9F1008F8E40200F6FC42039FBA37760200E0586FEEDA77CDDA0100','[]','{"task_id": "t1", "success": true, "task_type": ""}',1778148000000000,1778148000000000,1778151600000000,NULL,NULL,NULL,75.0,1778148000000000,0,NULL,0,242,0,1,NULL,4,NULL,NULL,'execution:019e0218-2f80-7000-8644-c32a6fe70e5b',NULL,NULL);
INSERT INTO "items" VALUES('default','019e01e1-4100-7004-ad41-ec062aa815c2','alex','','','decision','Roll out part 1 because It is ready',NULL,NULL,X'854A7BA5317647892C6D2C25583C508197ACBBBC03A286D6DDD076FD9918435A',X'BEA39AE61E54F4E001007C918B9F1008F8E40100F6FC42039FBA377601009D7404E5AA6248690100','[]','{"decision_id": "019e01e1-4100-7003-b8e0-3b8735cf9b5c", "who": ""}',1778148000000000,1778148000000000,1778148000000000,NULL,NULL,NULL,75.0,1778148000000000,0,NULL,0,223,0,1,NULL,4,NULL,NULL,'decision:019e01e1-4100-7003-b8e0-3b8735cf9b5c',NULL,NULL);
INSERT INTO "items" VALUES('default','019e0218-2f80-7001-a024-70c78bc0b080','alex','','','execution','Deploy part 1',NULL,NULL,X'224ED74ABF078E06B6A821741A59061CD262D5FFF2CFAABEFAC29D1E19E66D01',X'B2531F535EB3E60601007C918B9F1008F8E40100F6FC42039FBA37760100','[]','{"task_id": "t1", "status": "running"}',1778148000000000,1778148000000000,1778148000000000,1778151600000000,'019e01e1-4100-7002-ae0a-5429c27f2e84','019e01e1-4100-7002-ae0a-5429c27f2e84',75.0,1778148000000000,0,NULL,0,651,0,0,NULL,4,NULL,NULL,'execution:019e0218-2f80-7000-8644-c32a6fe70e5b',1,NULL);
INSERT INTO "items" VALUES('default','019e0218-2f80-7002-9744-7ed136409366','alex','','','execution','Deploy part 2: Part 2 went out',NULL,NULL,X'995E811AD3AF0CD29EC5E50CF57CA9C7E6F7AA49446C234CD6EC823A07847C49',X'B2531F535EB3E60601007C918B9F1008F8E402001BF41EF6FD6F6F6C0200E0586FEEDA77CDDA0100','[]','{"task_id": "t2", "success": false, "task_type": ""}',1778151600000000,1778151600000000,1778155200000000,NULL,NULL,NULL,75.0,1778151600000000,0,NULL,0,301,0,1,NULL,4,NULL,NULL,'execution:019e024f-1e00-7000-ac0f-f0fccf1e7a59',NULL,NULL);
INSERT INTO "items" VALUES('default','019e0218-2f80-7004-9ce2-260786eb44ca','alex','','','decision','Roll out part 2 because It is ready',NULL,NULL,X'4F1CF0E1602E6CFE035D195731C92167BA7DAF99966F412F55FB0E6B1CEFD665',X'BEA39AE61E54F4E001007C918B9F1008F8E401001BF41EF6FD6F6F6C01009D7404E5AA6248690100','[]','{"decision_id": "019e0218-2f80-7003-b8f8-83846af3267e", "who": ""}',1778151600000000,1778151600000000,1778151600000000,NULL,NULL,NULL,75.0,1778151600000000,0,NULL,0,282,0,1,NULL,4,NULL,NULL,'decision:019e0218-2f80-7003-b8f8-83846af3267e',NULL,NULL);
INSERT INTO "items" VALUES('default','019e024f-1e00-7001-8038-703889f8261a','alex','','','execution','Deploy part 2',NULL,NULL,X'92FEE7FB20C3D233223A76982A0C520406312014F28B170E19FCA1E5AB10AA7F',X'B2531F535EB3E60601007C918B9F1008F8E401001BF41EF6FD6F6F6C0100','[]','{"task_id": "t2", "status": "running"}',1778151600000000,1778151600000000,1778151600000000,1778155200000000,'019e0218-2f80-7002-9744-7ed136409366','019e0218-2f80-7002-9744-7ed136409366',75.0,1778151600000000,0,NULL,0,653,0,0,NULL,4,NULL,NULL,'execution:019e024f-1e00-7000-ac0f-f0fccf1e7a59',1,NULL);
INSERT INTO "items" VALUES('default','019e024f-1e00-7002-b9c5-be7a4347c1e8','alex','','','execution','Deploy part 3: Part 3 went out',NULL,NULL,X'55F56E93CB777784CF9E3AF270A17E5977F73D3F7CE71EF0EBCC7C62CB8F4047',X'B2531F535EB3E60601007C918B9F1008F8E402009E251905A6D98E010200E0586FEEDA77CDDA0100','[]','{"task_id": "t3", "success": true, "task_type": ""}',1778155200000000,1778155200000000,1778158800000000,NULL,NULL,NULL,75.0,1778155200000000,0,NULL,0,360,0,1,NULL,4,NULL,NULL,'execution:019e0286-0c80-7000-b188-bef87a81c9b8',NULL,NULL);
INSERT INTO "items" VALUES('default','019e024f-1e00-7004-b000-45c8716724b6','alex','','','decision','Roll out part 3 because It is ready',NULL,NULL,X'5AAEAE0A661AE7A020012A3C73CE8B19E6AF813EAB819C8D9F272076B6960C3B',X'BEA39AE61E54F4E001007C918B9F1008F8E401009E251905A6D98E0101009D7404E5AA6248690100','[]','{"decision_id": "019e024f-1e00-7003-ab0a-b4154d8babd5", "who": ""}',1778155200000000,1778155200000000,1778155200000000,NULL,NULL,NULL,75.0,1778155200000000,0,NULL,0,341,0,1,NULL,4,NULL,NULL,'decision:019e024f-1e00-7003-ab0a-b4154d8babd5',NULL,NULL);
INSERT INTO "items" VALUES('default','019e0286-0c80-7001-ad49-61f28f44bd15','alex','','','execution','Deploy part 3',NULL,NULL,X'AD91F0E63AC6485CEC8254EE91B9AE66BCAED39589D404D94931393AC28F36F3',X'B2531F535EB3E60601007C918B9F1008F8E401009E251905A6D98E010100','[]','{"task_id": "t3", "status": "running"}',1778155200000000,1778155200000000,1778155200000000,1778158800000000,'019e024f-1e00-7002-b9c5-be7a4347c1e8','019e024f-1e00-7002-b9c5-be7a4347c1e8',75.0,1778155200000000,0,NULL,0,655,0,0,NULL,4,NULL,NULL,'execution:019e0286-0c80-7000-b188-bef87a81c9b8',1,NULL);
INSERT INTO "items" VALUES('default','019e0286-0c80-7002-b9ad-6b25ef11909c','alex','','','execution','Deploy part 4: Part 4 went out',NULL,NULL,X'A01ECB201AED7DC7BFC4AE6B763316F796EB3CE8E273171A066CB197C905CFB1',X'B2531F535EB3E60601007C918B9F1008F8E40200711D7B067F3018B60200E0586FEEDA77CDDA0100','[]','{"task_id": "t4", "success": false, "task_type": ""}',1778158800000000,1778158800000000,1778162400000000,NULL,NULL,NULL,75.0,1778158800000000,0,NULL,0,419,0,1,NULL,4,NULL,NULL,'execution:019e02bc-fb00-7000-b98b-2adff4c4de31',NULL,NULL);
INSERT INTO "items" VALUES('default','019e0286-0c80-7004-be28-8821b2407a05','alex','','','decision','Roll out part 4 because It is ready',NULL,NULL,X'7197175DFFD72DB398A8B64F2204F332E9AB9A790AD79CE881327025A488A16C',X'BEA39AE61E54F4E001007C918B9F1008F8E40100711D7B067F3018B601009D7404E5AA6248690100','[]','{"decision_id": "019e0286-0c80-7003-99bc-42a8eadefdef", "who": ""}',1778158800000000,1778158800000000,1778158800000000,NULL,NULL,NULL,75.0,1778158800000000,0,NULL,0,400,0,1,NULL,4,NULL,NULL,'decision:019e0286-0c80-7003-99bc-42a8eadefdef',NULL,NULL);
INSERT INTO "items" VALUES('default','019e02bc-fb00-7001-8a3f-78408dbc7836','alex','','','execution','Deploy part 4',NULL,NULL,X'91DC70B009560E6B9C9B42739EF5770C65312A3382A8BC3FB313356FDE6BDEF8',X'B2531F535EB3E60601007C918B9F1008F8E40100711D7B067F3018B60100','[]','{"task_id": "t4", "status": "running"}',1778158800000000,1778158800000000,1778158800000000,1778162400000000,'019e0286-0c80-7002-b9ad-6b25ef11909c','019e0286-0c80-7002-b9ad-6b25ef11909c',75.0,1778158800000000,0,NULL,0,657,0,0,NULL,4,NULL,NULL,'execution:019e02bc-fb00-7000-b98b-2adff4c4de31',1,NULL);
INSERT INTO "items" VALUES('default','019e02bc-fb00-7003-bb0b-8e214470970f','alex','','','pattern','Tasks about deploy, part, 4: 3 of 5 succeeded',NULL,NULL,X'5F089B0680BAE6706AEB8F453CB2727755692D8BFFA27BE3DDA026DF6FBDE347',X'CD1316DE291584DE0100B2531F535EB3E60601007C918B9F1008F8E40100711D7B067F3018B601009E251905A6D98E0101008B54089FEE8D99A0010042E152ACE7AC418F0100','[]','{"pattern_id": "019e02bc-fb00-7002-8668-446bb4cd8dd5", "pattern_type": "success", "retired": false}',1778162400000000,1778162400000000,1778162400000000,NULL,NULL,NULL,75.0,1778162400000000,0,NULL,0,440,0,1,NULL,4,NULL,NULL,'pattern:019e02bc-fb00-7002-8668-446bb4cd8dd5',NULL,NULL);
INSERT INTO "items" VALUES('default','019e02bc-fb00-7004-96ae-2588dbbfde26','alex','','','execution','Deploy part 5',NULL,NULL,X'B7E7FFAE3A30CA062B18514F13C57EAB77B7DBEC450FC1BFC7BD80FB40A739A7',X'B2531F535EB3E60601007C918B9F1008F8E401008B54089FEE8D99A00100','[]','{"task_id": "t5", "status": "running"}',1778162400000000,1778162400000000,1778162400000000,NULL,NULL,NULL,75.0,1778162400000000,0,NULL,0,460,0,1,NULL,4,NULL,NULL,'task:t5',NULL,NULL);
INSERT INTO "items" VALUES('default','019e02bc-fb00-7006-866f-96cca7745926','alex','','','decision','Roll out part 5 because It is ready',NULL,NULL,X'7510DB64B86A3A2D33C43D2F82F9C38D0C954C7443B3F93B22F20286243885EC',X'BEA39AE61E54F4E001007C918B9F1008F8E401008B54089FEE8D99A001009D7404E5AA6248690100','[]','{"decision_id": "019e02bc-fb00-7005-ac06-ac70921bc9c6", "who": ""}',1778162400000000,1778162400000000,1778162400000000,NULL,NULL,NULL,75.0,1778162400000000,0,NULL,0,478,0,1,NULL,4,NULL,NULL,'decision:019e02bc-fb00-7005-ac06-ac70921bc9c6',NULL,NULL);
INSERT INTO "items" VALUES('default','019e02f3-e980-7000-99fc-291bca371be2','alex','','','preference','theme: {"name": "dark"}',NULL,NULL,X'B8C6DB4D6330462502FD00521E4B5B59148E916B4CFE643F2B15B8FAEE769CB0',X'6B26E3FF06ECE7DA010057C093842A936EDA01000D95DC1B52AC1F1C0100','[]','{"key": "theme"}',1778166000000000,1778166000000000,1778166000000000,NULL,NULL,NULL,75.0,1778166000000000,0,NULL,0,498,0,1,NULL,0,NULL,NULL,'preference:theme',NULL,NULL);
INSERT INTO "items" VALUES('default','019e02f3-e980-7003-a864-85881549afce','','','','procedure','Restart: Restart the server. Steps: 1. drain. 2. restart.',NULL,NULL,X'77629EF3A1B0A6199D8AAB11464C882EF6218747B7A691921BDE983BCD8DFD89',X'620291DE542EC7FE0300DDFAB5C9F8022C97010011013979CC35D5FE0100F6FC42039FBA3776010021351E1F7E3B2DD101001BF41EF6FD6F6F6C0100','[]','{"procedure_id": "019e02f3-e980-7002-bf03-1d83a3160c33", "name": "Restart"}',1778166000000000,1778166000000000,1778166000000000,NULL,NULL,NULL,75.0,1778166000000000,0,NULL,0,19,0,1,NULL,4,NULL,NULL,'procedure:019e02f3-e980-7002-bf03-1d83a3160c33',NULL,NULL);
INSERT INTO "items" VALUES('default','019e02f3-e980-7005-92f2-79f17fd7dc33','','','','incident','Disk full: The disk of the server was full.',NULL,NULL,X'9016BB9283D690E98590CA4992F02190CBFA26B24E7228B6E61956D4D6114AA8',X'FA82E3E7B65A260F020025E1DE53E274B1A90200DDFAB5C9F8022C970100','[]','{"incident_id": "019e02f3-e980-7004-adbf-32f11ee984ed", "severity": "high", "open": true}',1778166000000000,1778166000000000,1778166000000000,NULL,NULL,NULL,75.0,1778166000000000,0,NULL,0,38,0,1,NULL,0,NULL,NULL,'incident:019e02f3-e980-7004-adbf-32f11ee984ed',NULL,NULL);
INSERT INTO "items" VALUES('default','019e02f3-e980-7007-8d86-62abacfe824d','','','','config','retries was changed from 2 to 3 by sam, because It was flaky.',NULL,NULL,X'578C5F5EAF41A783BA2EF9B406E1189A03FFFB8B6817E1EA83F29ADDE8AF10E2',X'6805EEB591DAE7DE010060BF1CCFA0BCABDB01001BF41EF6FD6F6F6C01009E251905A6D98E010100EA13FAB17FA1166101002F1D01EFDF4A11DA0100','[]','{"config_id": "019e02f3-e980-7006-8561-9212fbd7d0ab", "key": "retries", "who": "sam"}',1778166000000000,1778166000000000,1778166000000000,NULL,NULL,NULL,75.0,1778166000000000,0,NULL,0,57,0,1,NULL,4,NULL,NULL,'config:019e02f3-e980-7006-8561-9212fbd7d0ab',NULL,NULL);
INSERT INTO "items" VALUES('default','019e02f3-e980-7009-8445-9a24d0accb40','','','','knowledge','Manual

The manual says that the lamp is switched on with the red button.',NULL,NULL,X'9F8F87CACD08010DC33190C4AA92BB0622A9625543F3E2A93EE143ECC9E11266',X'4E084CE8A3077D2602002B85F120ACE558E901002AFC15E301F7046B0100343C9E7361C5369E01000DE917AF2F0A48A301001C3FEC1DE19B83790100','[]','{"document_id": "019e02f3-e980-7008-af92-06a92330be5d", "title": "Manual", "heading": "", "chunk": 0, "cut": {"lead": 8, "gap": ""}}',1778166000000000,1778166000000000,1778166000000000,NULL,NULL,NULL,75.0,1778166000000000,0,NULL,0,76,0,1,NULL,0,NULL,NULL,'document:019e02f3-e980-7008-af92-06a92330be5d',NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7001-8705-a104ba676462','alex','','','episode','What a long time that was.',NULL,NULL,X'FBCCA6EC7F0A2955D42C8BFC6EA283EF53A498D225323ED94E2A6F2D83F9FA91',X'1097CDD7F46584F901005708A78087D188600100','[]','{}',1812726000000000,1812726000000000,1812726000000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,519,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7002-996a-2efca1f825eb','alex','','','summary','Deploy part 0 (succeeded on 2026-05-07): Part 0 went out. Used kubectl 1 time. Decided: Roll out part 0 because It is ready.',NULL,NULL,X'7B639B84EACAFE7D1A41709C27F55ACEBCEB6B1C7D46C71770AE0DF5B4FE0F53',X'B2531F535EB3E60601007C918B9F1008F8E40300842B7D9D43CDDF75030042E152ACE7AC418F0100CC4025955488D9F20100FDE7F1C1D38D1FB101002C2EB8F9EBE6597C0100E0586FEEDA77CDDA0100AEA82E3753D0B9ED01008382C48CD7E005850100F6FC42039FBA377601005708A78087D188600100B96CF3E1E49A553D0100BEA39AE61E54F4E001009D7404E5AA624869010043AD5A54EDD092680100','[]','{"task_id": "t0", "status": "succeeded", "steps": 1, "summarizer": "extract"}',1778148000000000,1812726000000000,1778148000000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,521,0,1,NULL,6,1778112000000000,1778198399999999,'task:t0',NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7003-8573-220af6f9e8e7','alex','','','summary','Deploy part 1 (succeeded on 2026-05-07): Part 1 went out. Used kubectl 1 time. Decided: Roll out part 1 because It is ready.',NULL,NULL,X'479F463F5566F93160D56E430EC2CEDF4081CE1C93CBBFCD06BD16FB12148210',X'B2531F535EB3E60601007C918B9F1008F8E40300F6FC42039FBA3776040042E152ACE7AC418F0100CC4025955488D9F20100FDE7F1C1D38D1FB101002C2EB8F9EBE6597C0100E0586FEEDA77CDDA0100AEA82E3753D0B9ED01008382C48CD7E0058501005708A78087D188600100B96CF3E1E49A553D0100BEA39AE61E54F4E001009D7404E5AA624869010043AD5A54EDD092680100','[]','{"task_id": "t1", "status": "succeeded", "steps": 1, "summarizer": "extract"}',1778151600000000,1812726000000000,1778151600000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,538,0,1,NULL,6,1778112000000000,1778198399999999,'task:t1',NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7004-a96a-52e9b69b0cad','alex','','','summary','Deploy part 2 (failed on 2026-05-07): Part 2 went out. Used ssh 1 time. Decided: Roll out part 2 because It is ready.',NULL,NULL,X'49C0B11A22D2F073B749E29E22AD707BA0A72AF363DFC376A5AD6E3853D7B81D',X'B2531F535EB3E60601007C918B9F1008F8E403001BF41EF6FD6F6F6C0300C5DF17442500115F0100CC4025955488D9F20100FDE7F1C1D38D1FB101002C2EB8F9EBE6597C0100E0586FEEDA77CDDA0100AEA82E3753D0B9ED0100D709EC19869BE1D30100F6FC42039FBA377601005708A78087D188600100B96CF3E1E49A553D0100BEA39AE61E54F4E001009D7404E5AA624869010043AD5A54EDD092680100','[]','{"task_id": "t2", "status": "failed", "steps": 1, "summarizer": "extract"}',1778155200000000,1812726000000000,1778155200000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,555,0,1,NULL,6,1778112000000000,1778198399999999,'task:t2',NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7005-8c82-12921de59e7e','alex','','','summary','Deploy part 3 (succeeded on 2026-05-07): Part 3 went out. Used kubectl 1 time. Decided: Roll out part 3 because It is ready.',NULL,NULL,X'C9BA5B88DB3171DBA0FC10F460FAFC00E2F9E7C277F6ADEB37CFE20D05F2255D',X'B2531F535EB3E60601007C918B9F1008F8E403009E251905A6D98E01030042E152ACE7AC418F0100CC4025955488D9F20100FDE7F1C1D38D1FB101002C2EB8F9EBE6597C0100E0586FEEDA77CDDA0100AEA82E3753D0B9ED01008382C48CD7E005850100F6FC42039FBA377601005708A78087D188600100B96CF3E1E49A553D0100BEA39AE61E54F4E001009D7404E5AA624869010043AD5A54EDD092680100','[]','{"task_id": "t3", "status": "succeeded", "steps": 1, "summarizer": "extract"}',1778158800000000,1812726000000000,1778158800000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,572,0,1,NULL,6,1778112000000000,1778198399999999,'task:t3',NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7006-8293-e16c606931e5','alex','','','summary','Deploy part 4 (failed on 2026-05-07): Part 4 went out. Used ssh 1 time. Decided: Roll out part 4 because It is ready.',NULL,NULL,X'053C50A42D5373146DA30C27992B484B6BD9D699C6AE1E9F240110706B95CFF9',X'B2531F535EB3E60601007C918B9F1008F8E40300711D7B067F3018B60300C5DF17442500115F0100CC4025955488D9F20100FDE7F1C1D38D1FB101002C2EB8F9EBE6597C0100E0586FEEDA77CDDA0100AEA82E3753D0B9ED0100D709EC19869BE1D30100F6FC42039FBA377601005708A78087D188600100B96CF3E1E49A553D0100BEA39AE61E54F4E001009D7404E5AA624869010043AD5A54EDD092680100','[]','{"task_id": "t4", "status": "failed", "steps": 1, "summarizer": "extract"}',1778162400000000,1812726000000000,1778162400000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,589,0,1,NULL,6,1778112000000000,1778198399999999,'task:t4',NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7007-b62c-0e11660fb343','alex','','','summary','Write it up (succeeded on 2026-05-07).',NULL,NULL,X'635A749F386397BA7CFFA519D5D07F618762CA64B9C295D778FDC01D1FD33634',X'8C0A5DFD0A161A93010042E152ACE7AC418F0100CC4025955488D9F20100FDE7F1C1D38D1FB101002C2EB8F9EBE6597C010043AD5A54EDD092680100','[]','{"goal_id": "g2", "status": "succeeded", "tasks": 0, "summarizer": "extract"}',1778166000000000,1812726000000000,1778166000000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,611,0,1,NULL,6,1778112000000000,1778198399999999,'goal:g2',NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7008-a8e0-14213b870f0b','','','','summary','power: 1 critical event on 2026-05-07. It went out.',NULL,NULL,X'13C1D416F066CEB31A7CA6B41D815E66492F11BB8AF361F5000C76C3593DF1F2',X'B4D27C40C27494280100F6FC42039FBA37760100F3A892324E499D0D01007B6CB64F09F2BF0E0100CC4025955488D9F20100FDE7F1C1D38D1FB101002C2EB8F9EBE6597C0100E0586FEEDA77CDDA010043AD5A54EDD092680100','[]','{"category": "power", "day": "2026-05-07", "events": 1, "summarizer": "extract"}',1778166000000000,1812726000000000,1778166000000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,94,0,1,NULL,6,1778112000000000,1778198399999999,'events:2026-05-07:power',NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7009-80d8-8a2d26f44045','alex','','s-9','episode','Turn the light on',NULL,NULL,X'8C2F562DE7F63615973A93130535AB68AC889046E38F0D989C55E3DB956047E5',X'73880C5C1BEEFACE01004CAA9E218C39031F0100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,659,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-700a-9b0f-d55847e7bdcd','alex','','s-9','episode','Done.',NULL,NULL,X'FA0659395DCA8A0624ADFB283872E27342543D0364A1318B5D33CAE1D70C33B1',X'C617B10964B54AC00100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,660,0,0,NULL,8,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-700e-9ec0-a4d1b5586da6','sam','','','episode','This has no vector yet, at default.',NULL,NULL,X'50F9E7C3FF7075818F65917871505080E525EC4B91661FA714127023078AC750',X'2637DB5C9C4E15E501009552107D397822C30100FE98B07B1BA6B3A20100','[]','{}',1812726000000000,1812726000000000,1812726000000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,61,1,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7011-bbd7-0fb0161c1637','alex','voxa','s-0','episode','I moved to Lisbon.','Alex',NULL,X'2A7E9B7CADF1C4C291F154004E77B0B240DDD3EA7EB7ACC55A90E24E9F13E688',X'7FEDE31D86180708010086F47B29A8480773010087E0E65D3AF6CC760100','[]','{"channel": "voice", "day": 0, "weight": 1.5}',1777712400000000,1777712400000000,1777712400000000,NULL,NULL,NULL,75.0,1777712400000000,0,NULL,0,107,0,0,1777885200000000,16,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7013-977d-bb57cd0dd932','alex','voxa','s-0','episode','Noted, on day 0.',NULL,NULL,X'D1E22D109CD2799FED3841217AE34B7FD7A8869E077DEFABBF18FB2A076F693A',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100842B7D9D43CDDF750100','[]','{"channel": "voice", "day": 0, "weight": 1.5}',1777712400000000,1777712400000000,1777712400000000,NULL,NULL,NULL,75.0,1777712400000000,0,NULL,0,109,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0','alex','voxa','','fact','Alex moved to Lisbon',NULL,'lives in lisbon, home, where to find them',X'4393C0A76817A70798B0DBB47C2FD36CCBA6E3300191415B973B08706466951E',X'7FEDE31D86180708010086F47B29A8480773010087E0E65D3AF6CC7602008741A276BDD1D2200100A76316F670584A9301006332E5D2FAB588150100','["event"]','{"channel": "voice", "day": 0, "weight": 1.5, "learner": "rules-1"}',1777712400000000,1777712400000000,1777712400000000,1777885200000000,'01a60ee3-a980-7027-bec9-e895c2b527f5',NULL,75.0,1777712400000000,0,NULL,0,111,0,0,NULL,0,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-701a-8ec7-2c48c48a4999','alex','voxa','s-1','episode','My sister is called Mia.','Alex',NULL,X'0D48BB01779F067E602C4397F065C75537CB3BE4B69975AA60E20FFE3963276F',X'7FEDE31D8618070801005A4676E5CF96E20D0100DA2AD283AD3E175F01007E5B76F99083D2DA0100','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,113,0,0,NULL,16,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-701c-aee1-054b3aaf940b','alex','voxa','s-1','episode','Noted, on day 1.',NULL,NULL,X'AE5974258CF2E7FDB49AB3384691EAA050ADFC660EA56543DCDB317E2CD55BEB',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100F6FC42039FBA37760100','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,115,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108','alex','voxa','','fact','Alex''s sister is called Mia',NULL,'is called mia',X'F615D67E41296964D9DBBE28D50F41295EA7B64321BAFB52CA549C0F1F7D7976',X'7FEDE31D8618070801005A4676E5CF96E20D0100DA2AD283AD3E175F02007E5B76F99083D2DA0200','["home"]','{"channel": "voice", "day": 1, "weight": 1.5, "learner": "rules-1"}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,26,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7023-8c6d-733359af883f','alex','voxa','s-0','episode','I moved to Porto.','Alex',NULL,X'7662DA8B57C6981EDCC7BBE2D23B69F4662B8EAFD253BACC9D0EF0FBE23A6535',X'7FEDE31D86180708010086F47B29A8480773010036422F585F807A2F0100','[]','{"channel": "voice", "day": 4, "weight": 1.5}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,76.61,1778058000000000,1,1778058000000000,0,117,0,0,NULL,16,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7025-ab70-4401940e4217','alex','voxa','s-0','episode','Noted, on day 2.',NULL,NULL,X'4E628F17746427FFA3BEC357F214C5D73DDD13216CD10987749A15FF933533AA',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA201001BF41EF6FD6F6F6C0100','[]','{"channel": "voice", "day": 2, "weight": 1.5}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,75.0,1777885200000000,0,NULL,0,119,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','alex','voxa','','fact','Alex moved to Porto',NULL,'lives in porto, home, where to find them',X'DDE9FC5D13B7C69E280D8A83D4590ADEEA2460BEAD477AAC6CBDD3D5074B0EB4',X'7FEDE31D86180708010086F47B29A8480773010036422F585F807A2F02008741A276BDD1D2200100A76316F670584A9301006332E5D2FAB588150100','["event"]','{"channel": "voice", "day": 4, "weight": 1.5, "learner": "rules-1"}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,76.61,1778058000000000,1,1778058000000000,0,47,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-702d-9837-4326cfcbbf48','alex','voxa','s-1','episode','I love plums.','Alex',NULL,X'032858A40A2E42C7CF66CBFD2F5EFD979111820150B762E35C6DCE1EAF391B59',X'7FEDE31D86180708010036CD4B265771C6360100319C895E61E422E60100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,121,0,0,NULL,16,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-702f-b407-aaa4347b0e25','alex','voxa','s-1','episode','Noted, on day 3.',NULL,NULL,X'54F80A8324B6CD27E5216CCCA3B60FBA2A1BA42A02D8BAA73CC16A6DB13B4532',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA201009E251905A6D98E010100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,123,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0','alex','voxa','','preference','Alex loves plums',NULL,NULL,X'36FF76EEC1F01631D09E61E8D93C0C7116C6324FCC3ACADAF35924F87EB86C83',X'7FEDE31D86180708010036CD4B265771C6360100319C895E61E422E60100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5, "learner": "rules-1"}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,68,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7036-95d2-7db1156d94a4','alex','voxa','s-0','episode','Noted, on day 4.',NULL,NULL,X'A589F2D6012B1BE70F8B19FB091E5F1036487354888CAA877E9A08B6EA2013C6',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100711D7B067F3018B60100','[]','{"channel": "voice", "day": 4, "weight": 1.5}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,125,0,0,NULL,14,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-703d-bcda-02899f818917','sam','','','episode','Łukasz lives in 東京 🎈.',NULL,NULL,X'28BF9F2859A4EB68067D9C5C23C10843657B3133F26A8989A1D49934654E1516',X'12B19505B53F548A01008741A276BDD1D2200100EE1155CAD1682BF00100FA18164E81F5EBCE0100061B0DDFFF309859010046E60D052B773C9F0100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,40,0,0,NULL,0,NULL,NULL,NULL,1,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7042-b9c6-c9f9a4d8d875','sam','','','episode','I''m flying to Rome tomorrow.',NULL,NULL,X'43B3440B42B0154378EA98756E83C8CA9BDD602751515727AF167A81A70F2212',X'32DE3D78DB7580BE0100AECCCB03AD42D2570100FB25159F8E96EB070100','[]','{}',1778011200000000,1778058000000000,1778011200000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,42,0,0,NULL,18,1778112000000000,1778198399999999,NULL,1,720);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7044-af31-d513e0488699','sam','','','fact','The user is flying to Rome on 7 May 2026',NULL,NULL,X'A1D86C2CB9243234099093093AEE5932C9202B0C77B8511BDD715D62222AF88F',X'AFDF5C9A7BD48D63010032DE3D78DB7580BE0100AECCCB03AD42D2570100E75017CACE788F82010071F7AFF705D56FD30100CC4025955488D9F20100','["plan"]','{"learner": "rules-1", "when": "2026-05-07"}',1778011200000000,1778058000000000,1778011200000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,5,0,0,NULL,6,1778112000000000,1778198399999999,NULL,NULL,720);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7050-95b8-c644527e0863','alex','','','episode','What a long time that was.',NULL,NULL,X'FBCCA6EC7F0A2955D42C8BFC6EA283EF53A498D225323ED94E2A6F2D83F9FA91',X'1097CDD7F46584F901005708A78087D188600100','[]','{}',1812618000000000,1812618000000000,1812618000000000,NULL,NULL,NULL,75.0,1812618000000000,0,NULL,0,105,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7053-ade5-0db4d1fe7c5d','alex','','s-9','episode','Turn the light on',NULL,NULL,X'8C2F562DE7F63615973A93130535AB68AC889046E38F0D989C55E3DB956047E5',X'73880C5C1BEEFACE01004CAA9E218C39031F0100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,127,0,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7055-8d0a-d0e5ce0d4be0','alex','','s-9','episode','Done.',NULL,NULL,X'FA0659395DCA8A0624ADFB283872E27342543D0364A1318B5D33CAE1D70C33B1',X'C617B10964B54AC00100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,128,0,0,NULL,8,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-705d-9407-bb1efb0a9cf0','sam','','','episode','This has no vector yet, at acme.',NULL,NULL,X'9A6159B12A9D7C2EC3C20132A6A81C50DB6A7170918E8CC4A11B59C3559D6327',X'2637DB5C9C4E15E501009552107D397822C30100891D433266534E5A0100','[]','{}',1812618000000000,1812618000000000,1812618000000000,NULL,NULL,NULL,75.0,1812618000000000,0,NULL,0,44,1,0,NULL,0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE links (
	tenant VARCHAR(256) NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	other_id VARCHAR(256) NOT NULL, 
	relation VARCHAR(32) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	weight FLOAT NOT NULL, 
	PRIMARY KEY (tenant, item_id, other_id, relation), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE, 
	FOREIGN KEY(tenant, other_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "links" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6','019de7ea-8680-7003-94da-8c659ce2b10c','entity','alex',0.5);
INSERT INTO "links" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019de7ea-8680-7003-94da-8c659ce2b10c','supersedes','alex',1.0);
INSERT INTO "links" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019de7ea-8680-7003-94da-8c659ce2b10c','similar','alex',0.7914);
INSERT INTO "links" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019ded10-e280-7003-a9fb-388c22e44cb6','entity','alex',0.5);
INSERT INTO "links" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e','019df237-3e80-7003-af6e-0d935520dd4c','entity','alex',0.5);
INSERT INTO "links" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e','019ded10-e280-7003-a9fb-388c22e44cb6','entity','alex',0.5);
INSERT INTO "links" VALUES('default','019e01aa-5280-7003-847a-2366ad0ce564','019e01aa-5280-7002-a3f1-726423e4e765','entity','sam',0.5);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108','01a60ee3-a980-7015-a6e3-1a126f611da0','entity','alex',0.5);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','01a60ee3-a980-7015-a6e3-1a126f611da0','supersedes','alex',1.0);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','01a60ee3-a980-7015-a6e3-1a126f611da0','similar','alex',0.7914);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','01a60ee3-a980-701e-b40b-943e1180d108','entity','alex',0.5);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0','01a60ee3-a980-7027-bec9-e895c2b527f5','entity','alex',0.5);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0','01a60ee3-a980-701e-b40b-943e1180d108','entity','alex',0.5);
CREATE TABLE listeners (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	url TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	types JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	until BIGINT, 
	PRIMARY KEY (tenant, id)
);
CREATE TABLE mentions (
	tenant VARCHAR(256) NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	entity VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	PRIMARY KEY (tenant, item_id, entity), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "mentions" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c','alex','alex');
INSERT INTO "mentions" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c','lisbon','alex');
INSERT INTO "mentions" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6','alex','alex');
INSERT INTO "mentions" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6','mia','alex');
INSERT INTO "mentions" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','alex','alex');
INSERT INTO "mentions" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','porto','alex');
INSERT INTO "mentions" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e','alex','alex');
INSERT INTO "mentions" VALUES('default','019dfc83-f680-7006-a7f9-a0141afb962a','rome','sam');
INSERT INTO "mentions" VALUES('default','019dfc83-f680-7009-b686-613b898c94a8','prefers','alex');
INSERT INTO "mentions" VALUES('default','019e01aa-5280-7001-a57a-d20d5d9ae674','mondays','');
INSERT INTO "mentions" VALUES('default','019e01aa-5280-7002-a3f1-726423e4e765','sam','sam');
INSERT INTO "mentions" VALUES('default','019e01aa-5280-7003-847a-2366ad0ce564','sam','sam');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0','alex','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0','lisbon','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108','alex','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108','mia','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','alex','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','porto','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0','alex','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7044-af31-d513e0488699','rome','sam');
CREATE TABLE meta (
	"key" VARCHAR(256) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('first space','taken');
INSERT INTO "meta" VALUES('space','67740524219279');
CREATE TABLE outbox (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	type VARCHAR(256) NOT NULL, 
	at BIGINT NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	payload JSON NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7010-aa42-a9d59e8b83e3','memory.captured',1777712400000000,'alex','{"interaction_id": "01a60ee3-a980-700f-a130-a36ea10011a8", "messages": 2, "agent_id": "voxa", "session_id": "s-0"}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7012-a139-81fb9adac43a','memory.added',1777712400000000,'alex','{"id": "01a60ee3-a980-7011-bbd7-0fb0161c1637", "kind": "episode", "agent_id": "voxa", "session_id": "s-0", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7014-84bb-10d5a30ac6e1','memory.added',1777712400000000,'alex','{"id": "01a60ee3-a980-7013-977d-bb57cd0dd932", "kind": "episode", "agent_id": "voxa", "session_id": "s-0", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7016-80ea-aabd3e213ee1','memory.added',1777712400000000,'alex','{"id": "01a60ee3-a980-7015-a6e3-1a126f611da0", "kind": "fact", "agent_id": "voxa", "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7017-b099-6e41f505456e','memory.learned',1777712400000000,'alex','{"interaction_id": "01a60ee3-a980-700f-a130-a36ea10011a8", "learner": "rules-1", "added": 1, "updated": 0}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7019-a967-5dd7ff778161','memory.captured',1777798800000000,'alex','{"interaction_id": "01a60ee3-a980-7018-ad86-ca290ac42e0e", "messages": 2, "agent_id": "voxa", "session_id": "s-1"}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-701b-a6aa-013e9cd653b1','memory.added',1777798800000000,'alex','{"id": "01a60ee3-a980-701a-8ec7-2c48c48a4999", "kind": "episode", "agent_id": "voxa", "session_id": "s-1", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-701d-99b5-9e75053b732f','memory.added',1777798800000000,'alex','{"id": "01a60ee3-a980-701c-aee1-054b3aaf940b", "kind": "episode", "agent_id": "voxa", "session_id": "s-1", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-701f-a6ef-35f7b737e4e1','memory.added',1777798800000000,'alex','{"id": "01a60ee3-a980-701e-b40b-943e1180d108", "kind": "fact", "agent_id": "voxa", "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7020-9e88-3e4f980ec637','memory.learned',1777798800000000,'alex','{"interaction_id": "01a60ee3-a980-7018-ad86-ca290ac42e0e", "learner": "rules-1", "added": 1, "updated": 0}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7022-8c48-b2610ada7915','memory.captured',1777885200000000,'alex','{"interaction_id": "01a60ee3-a980-7021-a115-495b1154d62e", "messages": 2, "agent_id": "voxa", "session_id": "s-0"}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7024-8c5a-3681ef89b7c6','memory.added',1777885200000000,'alex','{"id": "01a60ee3-a980-7023-8c6d-733359af883f", "kind": "episode", "agent_id": "voxa", "session_id": "s-0", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7026-868f-a04367d029d1','memory.added',1777885200000000,'alex','{"id": "01a60ee3-a980-7025-ab70-4401940e4217", "kind": "episode", "agent_id": "voxa", "session_id": "s-0", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7028-82f7-78878e6d6eda','memory.added',1777885200000000,'alex','{"id": "01a60ee3-a980-7027-bec9-e895c2b527f5", "kind": "fact", "agent_id": "voxa", "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7029-896e-23c0b19abe27','memory.superseded',1777885200000000,'alex','{"id": "01a60ee3-a980-7015-a6e3-1a126f611da0", "kind": "fact", "by": "01a60ee3-a980-7027-bec9-e895c2b527f5"}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-702a-b4c8-54a8029e8ee4','memory.learned',1777885200000000,'alex','{"interaction_id": "01a60ee3-a980-7021-a115-495b1154d62e", "learner": "rules-1", "added": 1, "updated": 0}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-702c-b559-b76389e8a9c3','memory.captured',1777971600000000,'alex','{"interaction_id": "01a60ee3-a980-702b-9b58-4bb7ffeab6c8", "messages": 2, "agent_id": "voxa", "session_id": "s-1"}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-702e-9345-62b9d497639e','memory.added',1777971600000000,'alex','{"id": "01a60ee3-a980-702d-9837-4326cfcbbf48", "kind": "episode", "agent_id": "voxa", "session_id": "s-1", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7030-9eb1-350b5cd629d3','memory.added',1777971600000000,'alex','{"id": "01a60ee3-a980-702f-b407-aaa4347b0e25", "kind": "episode", "agent_id": "voxa", "session_id": "s-1", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7032-9676-1e8142df8791','memory.added',1777971600000000,'alex','{"id": "01a60ee3-a980-7031-84f5-1486ede6bbc0", "kind": "preference", "agent_id": "voxa", "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7033-9a78-bed54c911ad0','memory.learned',1777971600000000,'alex','{"interaction_id": "01a60ee3-a980-702b-9b58-4bb7ffeab6c8", "learner": "rules-1", "added": 1, "updated": 0}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7035-a10e-8595d79347cc','memory.captured',1778058000000000,'alex','{"interaction_id": "01a60ee3-a980-7034-9c5a-ffcd94cd1d04", "messages": 2, "agent_id": "voxa", "session_id": "s-0"}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7037-a765-dd3aff91c815','memory.added',1778058000000000,'alex','{"id": "01a60ee3-a980-7036-95d2-7db1156d94a4", "kind": "episode", "agent_id": "voxa", "session_id": "s-0", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7038-b722-fa078879b70a','memory.reheated',1778058000000000,'alex','{"id": "01a60ee3-a980-7023-8c6d-733359af883f", "kind": "episode", "temperature": 76.61}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7039-9860-50a001b40c88','memory.reheated',1778058000000000,'alex','{"id": "01a60ee3-a980-7027-bec9-e895c2b527f5", "kind": "fact", "temperature": 76.61}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-703a-a301-40ae8f769b3e','memory.learned',1778058000000000,'alex','{"interaction_id": "01a60ee3-a980-7034-9c5a-ffcd94cd1d04", "learner": "rules-1", "added": 0, "updated": 1}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-703c-b4e8-35cc4dd4f211','memory.captured',1778058000000000,'sam','{"interaction_id": "01a60ee3-a980-703b-af64-427d7bee8743", "messages": 1, "agent_id": null, "session_id": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-703e-a0d9-c7a8634aa786','memory.added',1778058000000000,'sam','{"id": "01a60ee3-a980-703d-bcda-02899f818917", "kind": "episode", "agent_id": null, "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-703f-86c1-8f405ef628cf','memory.learned',1778058000000000,'sam','{"interaction_id": "01a60ee3-a980-703b-af64-427d7bee8743", "learner": "rules-1", "added": 0, "updated": 0}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7041-b3b3-b5badc24a6c1','memory.captured',1778058000000000,'sam','{"interaction_id": "01a60ee3-a980-7040-b227-0f13b2369cd8", "messages": 1, "agent_id": null, "session_id": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7043-9f6d-737e79bc74d8','memory.added',1778058000000000,'sam','{"id": "01a60ee3-a980-7042-b9c6-c9f9a4d8d875", "kind": "episode", "agent_id": null, "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7045-99a6-bd255a12ef54','memory.added',1778058000000000,'sam','{"id": "01a60ee3-a980-7044-af31-d513e0488699", "kind": "fact", "agent_id": null, "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7046-ad3a-0241a3f4caa6','memory.learned',1778058000000000,'sam','{"interaction_id": "01a60ee3-a980-7040-b227-0f13b2369cd8", "learner": "rules-1", "added": 1, "updated": 0}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7048-b34a-ce44ac59f6f8','memory.added',1778058000000000,'sam','{"id": "01a60ee3-a980-7047-a37a-870fdc425d7c", "kind": "fact", "agent_id": null, "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7049-9e2d-fbac175d577d','memory.deleted',1778058000000000,'sam','{"id": "01a60ee3-a980-7047-a37a-870fdc425d7c", "kind": "fact", "ids": ["01a60ee3-a980-7047-a37a-870fdc425d7c"]}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-704b-a9ae-3b84a1611949','memory.captured',1778058000000000,'alex','{"interaction_id": "01a60ee3-a980-704a-b291-754a9c9078b5", "messages": 2, "agent_id": null, "session_id": "s-9"}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-704f-a3d0-e4d125c0b181','memory.captured',1812618000000000,'alex','{"interaction_id": "01a60ee3-a980-704e-902c-7b04397f224a", "messages": 1, "agent_id": null, "session_id": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7051-88e4-b7356c55a3ea','memory.added',1812618000000000,'alex','{"id": "01a60ee3-a980-7050-95b8-c644527e0863", "kind": "episode", "agent_id": null, "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7052-8f5f-db948c1a1e17','memory.learned',1812618000000000,'alex','{"interaction_id": "01a60ee3-a980-704e-902c-7b04397f224a", "learner": "rules-1", "added": 0, "updated": 0}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7054-bff4-3b3bb595757f','memory.added',1812618000000000,'alex','{"id": "01a60ee3-a980-7053-ade5-0db4d1fe7c5d", "kind": "episode", "agent_id": null, "session_id": "s-9", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7056-89b6-737c0276e264','memory.added',1812618000000000,'alex','{"id": "01a60ee3-a980-7055-8d0a-d0e5ce0d4be0", "kind": "episode", "agent_id": null, "session_id": "s-9", "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-7057-b58c-5b067380b828','memory.learned',1812618000000000,'alex','{"interaction_id": "01a60ee3-a980-704a-b291-754a9c9078b5", "learner": "rules-1", "added": 0, "updated": 0}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-705a-abc5-0d58157e4860','memory.captured',1812618000000000,'alex','{"interaction_id": "01a60ee3-a980-7059-a063-0524cbd98a6a", "messages": 1, "agent_id": null, "session_id": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-705c-841f-7200e48c1553','memory.captured',1812618000000000,'sam','{"interaction_id": "01a60ee3-a980-705b-a77d-ea5044eaf31e", "messages": 1, "agent_id": null, "session_id": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-705e-8179-28ed44171c32','memory.added',1812618000000000,'sam','{"id": "01a60ee3-a980-705d-9407-bb1efb0a9cf0", "kind": "episode", "agent_id": null, "session_id": null, "record": null}');
INSERT INTO "outbox" VALUES('acme','01a60ee3-a980-705f-a1b6-88b605300003','memory.learned',1812618000000000,'sam','{"interaction_id": "01a60ee3-a980-705b-a77d-ea5044eaf31e", "learner": "rules-1", "added": 0, "updated": 0}');
CREATE TABLE pattern_feedback (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	pattern_id VARCHAR(256) NOT NULL, 
	helpful BOOLEAN, 
	adjustment FLOAT NOT NULL, 
	note TEXT, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id), 
	FOREIGN KEY(tenant, pattern_id) REFERENCES patterns (tenant, id) ON DELETE CASCADE
);
INSERT INTO "pattern_feedback" VALUES('default','019e02f3-e980-7001-86ee-6b81c0d62b9b','019e02bc-fb00-7002-8668-446bb4cd8dd5',1,0.0,NULL,1778166000000000);
CREATE TABLE pattern_versions (
	tenant VARCHAR(256) NOT NULL, 
	pattern_id VARCHAR(256) NOT NULL, 
	version INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	reason TEXT NOT NULL, 
	changed JSON NOT NULL, 
	PRIMARY KEY (tenant, pattern_id, version), 
	FOREIGN KEY(tenant, pattern_id) REFERENCES patterns (tenant, id) ON DELETE CASCADE
);
INSERT INTO "pattern_versions" VALUES('default','019e02bc-fb00-7002-8668-446bb4cd8dd5',1,1778162400000000,'learned','{}');
INSERT INTO "pattern_versions" VALUES('default','019e02bc-fb00-7002-8668-446bb4cd8dd5',2,1778166000000000,'feedback','{"helpful": [0, 1], "confidence_score": [0.23071993220883708, 0.29998832134152864]}');
CREATE TABLE patterns (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	pattern_type VARCHAR(16) NOT NULL, 
	task_type_pattern TEXT NOT NULL, 
	subject VARCHAR(256) NOT NULL, 
	description TEXT NOT NULL, 
	success_indicators JSON NOT NULL, 
	failure_indicators JSON NOT NULL, 
	recommended_context JSON NOT NULL, 
	examples JSON NOT NULL, 
	hits INTEGER NOT NULL, 
	support INTEGER NOT NULL, 
	other_hits INTEGER NOT NULL, 
	other_support INTEGER NOT NULL, 
	helpful INTEGER NOT NULL, 
	unhelpful INTEGER NOT NULL, 
	adjustment FLOAT NOT NULL, 
	confidence_score FLOAT NOT NULL, 
	usage_count INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	retired_at BIGINT, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "patterns" VALUES('default','019e02bc-fb00-7002-8668-446bb4cd8dd5','alex','','','success','','success|like:019e01e1-4100-7000-ab96-721fc3ce871d','Tasks about deploy, part, 4: 3 of 5 succeeded','["word:deploy", "word:part"]','[]','{"tools": ["kubectl"], "examples": ["t3", "t1", "t0"]}','["t3", "t1", "t0"]',3,5,0,0,1,0,0.0,2.99988321341528640928e-01,0,2,NULL,'{}',1778162400000000,1778166000000000);
CREATE TABLE procedures (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	name TEXT NOT NULL, 
	description TEXT NOT NULL, 
	steps JSON NOT NULL, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "procedures" VALUES('default','019e02f3-e980-7002-bf03-1d83a3160c33','','','','Restart','Restart the server','["drain", "restart"]','{}',1778166000000000,1778166000000000);
CREATE TABLE shelves (
	tenant VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	number BIGINT NOT NULL, 
	epoch BIGINT NOT NULL, 
	revision BIGINT NOT NULL, 
	PRIMARY KEY (tenant, user_id), 
	UNIQUE (tenant, number)
);
INSERT INTO "shelves" VALUES('default','alex',256057609356405,60432369274613,662);
INSERT INTO "shelves" VALUES('default','sam',162678960700545,191753080244491,61);
INSERT INTO "shelves" VALUES('default','',241843984150829,267462712442646,111);
INSERT INTO "shelves" VALUES('acme','alex',273118658644469,86631666559925,130);
INSERT INTO "shelves" VALUES('acme','sam',262477255168426,252722330908145,44);
CREATE TABLE sources (
	tenant VARCHAR(256) NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	interaction_id VARCHAR(256) NOT NULL, 
	position INTEGER NOT NULL, 
	message_id VARCHAR(256) NOT NULL, 
	role VARCHAR(256) NOT NULL, 
	name VARCHAR(256), 
	occurred_at BIGINT NOT NULL, 
	quote TEXT, 
	PRIMARY KEY (tenant, item_id, interaction_id, position), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "sources" VALUES('default','019de7ea-8680-7001-9850-99095aa30016','019de7ea-8680-7000-ab90-2f8911e81818',0,'m0','user','Alex',1777712400000000,NULL);
INSERT INTO "sources" VALUES('default','019de7ea-8680-7002-9a67-036f9b540d6b','019de7ea-8680-7000-ab90-2f8911e81818',1,'019de7ea-8680-7000-ab90-2f8911e81818:1','assistant',NULL,1777712400000000,NULL);
INSERT INTO "sources" VALUES('default','019de7ea-8680-7003-94da-8c659ce2b10c','019de7ea-8680-7000-ab90-2f8911e81818',0,'m0','user','Alex',1777712400000000,'I moved to Lisbon.');
INSERT INTO "sources" VALUES('default','019ded10-e280-7001-a4e6-ed24ec636a8a','019ded10-e280-7000-8cda-ebf990d19838',0,'m1','user','Alex',1777798800000000,NULL);
INSERT INTO "sources" VALUES('default','019ded10-e280-7002-80a1-271e58662792','019ded10-e280-7000-8cda-ebf990d19838',1,'019ded10-e280-7000-8cda-ebf990d19838:1','assistant',NULL,1777798800000000,NULL);
INSERT INTO "sources" VALUES('default','019ded10-e280-7003-a9fb-388c22e44cb6','019ded10-e280-7000-8cda-ebf990d19838',0,'m1','user','Alex',1777798800000000,'My sister is called Mia.');
INSERT INTO "sources" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6','019df237-3e80-7000-b7f0-1210c3707a90',0,'m2','user','Alex',1777885200000000,NULL);
INSERT INTO "sources" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177','019df237-3e80-7000-b7f0-1210c3707a90',1,'019df237-3e80-7000-b7f0-1210c3707a90:1','assistant',NULL,1777885200000000,NULL);
INSERT INTO "sources" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019df237-3e80-7000-b7f0-1210c3707a90',0,'m2','user','Alex',1777885200000000,'I moved to Porto.');
INSERT INTO "sources" VALUES('default','019df75d-9a80-7001-b8bd-ecface4abd12','019df75d-9a80-7000-a147-738606f2bf7e',0,'m3','user','Alex',1777971600000000,NULL);
INSERT INTO "sources" VALUES('default','019df75d-9a80-7002-908f-391ebc070e83','019df75d-9a80-7000-a147-738606f2bf7e',1,'019df75d-9a80-7000-a147-738606f2bf7e:1','assistant',NULL,1777971600000000,NULL);
INSERT INTO "sources" VALUES('default','019df75d-9a80-7003-9eea-bac37a0dde8e','019df75d-9a80-7000-a147-738606f2bf7e',0,'m3','user','Alex',1777971600000000,'I love plums.');
INSERT INTO "sources" VALUES('default','019dfc83-f680-7001-8d9f-28984b14267f','019dfc83-f680-7000-b2d3-b1925e1302ca',1,'019dfc83-f680-7000-b2d3-b1925e1302ca:1','assistant',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6','019dfc83-f680-7000-b2d3-b1925e1302ca',0,'m4','user','Alex',1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019dfc83-f680-7000-b2d3-b1925e1302ca',0,'m4','user','Alex',1778058000000000,'I moved to Porto.');
INSERT INTO "sources" VALUES('default','019dfc83-f680-7003-a5a9-69d270831572','019dfc83-f680-7002-8b08-880f0f422dbb',0,'019dfc83-f680-7002-8b08-880f0f422dbb:0','user',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','019dfc83-f680-7005-b8fd-f91d0aaa627e','019dfc83-f680-7004-9ed3-2cab3d56d558',0,'019dfc83-f680-7004-9ed3-2cab3d56d558:0','user',NULL,1778011200000000,NULL);
INSERT INTO "sources" VALUES('default','019dfc83-f680-7006-a7f9-a0141afb962a','019dfc83-f680-7004-9ed3-2cab3d56d558',0,'019dfc83-f680-7004-9ed3-2cab3d56d558:0','user',NULL,1778011200000000,'I''m flying to Rome tomorrow.');
INSERT INTO "sources" VALUES('default','01a60ee3-a980-7001-8705-a104ba676462','01a60ee3-a980-7000-81e0-deb86d10af5d',0,'01a60ee3-a980-7000-81e0-deb86d10af5d:0','user',NULL,1812726000000000,NULL);
INSERT INTO "sources" VALUES('default','01a60ee3-a980-7009-80d8-8a2d26f44045','019dfc83-f680-7008-806d-d85b24f0c6ae',0,'019dfc83-f680-7008-806d-d85b24f0c6ae:0','user',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','01a60ee3-a980-700a-9b0f-d55847e7bdcd','019dfc83-f680-7008-806d-d85b24f0c6ae',1,'019dfc83-f680-7008-806d-d85b24f0c6ae:1','assistant',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','01a60ee3-a980-700e-9ec0-a4d1b5586da6','01a60ee3-a980-700d-8938-803029e6a483',0,'01a60ee3-a980-700d-8938-803029e6a483:0','user',NULL,1812726000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7011-bbd7-0fb0161c1637','01a60ee3-a980-700f-a130-a36ea10011a8',0,'m0','user','Alex',1777712400000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7013-977d-bb57cd0dd932','01a60ee3-a980-700f-a130-a36ea10011a8',1,'01a60ee3-a980-700f-a130-a36ea10011a8:1','assistant',NULL,1777712400000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7015-a6e3-1a126f611da0','01a60ee3-a980-700f-a130-a36ea10011a8',0,'m0','user','Alex',1777712400000000,'I moved to Lisbon.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-701a-8ec7-2c48c48a4999','01a60ee3-a980-7018-ad86-ca290ac42e0e',0,'m1','user','Alex',1777798800000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-701c-aee1-054b3aaf940b','01a60ee3-a980-7018-ad86-ca290ac42e0e',1,'01a60ee3-a980-7018-ad86-ca290ac42e0e:1','assistant',NULL,1777798800000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-701e-b40b-943e1180d108','01a60ee3-a980-7018-ad86-ca290ac42e0e',0,'m1','user','Alex',1777798800000000,'My sister is called Mia.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7023-8c6d-733359af883f','01a60ee3-a980-7021-a115-495b1154d62e',0,'m2','user','Alex',1777885200000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7025-ab70-4401940e4217','01a60ee3-a980-7021-a115-495b1154d62e',1,'01a60ee3-a980-7021-a115-495b1154d62e:1','assistant',NULL,1777885200000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','01a60ee3-a980-7021-a115-495b1154d62e',0,'m2','user','Alex',1777885200000000,'I moved to Porto.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-702d-9837-4326cfcbbf48','01a60ee3-a980-702b-9b58-4bb7ffeab6c8',0,'m3','user','Alex',1777971600000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-702f-b407-aaa4347b0e25','01a60ee3-a980-702b-9b58-4bb7ffeab6c8',1,'01a60ee3-a980-702b-9b58-4bb7ffeab6c8:1','assistant',NULL,1777971600000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7031-84f5-1486ede6bbc0','01a60ee3-a980-702b-9b58-4bb7ffeab6c8',0,'m3','user','Alex',1777971600000000,'I love plums.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7036-95d2-7db1156d94a4','01a60ee3-a980-7034-9c5a-ffcd94cd1d04',1,'01a60ee3-a980-7034-9c5a-ffcd94cd1d04:1','assistant',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7023-8c6d-733359af883f','01a60ee3-a980-7034-9c5a-ffcd94cd1d04',0,'m4','user','Alex',1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7027-bec9-e895c2b527f5','01a60ee3-a980-7034-9c5a-ffcd94cd1d04',0,'m4','user','Alex',1778058000000000,'I moved to Porto.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-703d-bcda-02899f818917','01a60ee3-a980-703b-af64-427d7bee8743',0,'01a60ee3-a980-703b-af64-427d7bee8743:0','user',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7042-b9c6-c9f9a4d8d875','01a60ee3-a980-7040-b227-0f13b2369cd8',0,'01a60ee3-a980-7040-b227-0f13b2369cd8:0','user',NULL,1778011200000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7044-af31-d513e0488699','01a60ee3-a980-7040-b227-0f13b2369cd8',0,'01a60ee3-a980-7040-b227-0f13b2369cd8:0','user',NULL,1778011200000000,'I''m flying to Rome tomorrow.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7050-95b8-c644527e0863','01a60ee3-a980-704e-902c-7b04397f224a',0,'01a60ee3-a980-704e-902c-7b04397f224a:0','user',NULL,1812618000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7053-ade5-0db4d1fe7c5d','01a60ee3-a980-704a-b291-754a9c9078b5',0,'01a60ee3-a980-704a-b291-754a9c9078b5:0','user',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7055-8d0a-d0e5ce0d4be0','01a60ee3-a980-704a-b291-754a9c9078b5',1,'01a60ee3-a980-704a-b291-754a9c9078b5:1','assistant',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-705d-9407-bb1efb0a9cf0','01a60ee3-a980-705b-a77d-ea5044eaf31e',0,'01a60ee3-a980-705b-a77d-ea5044eaf31e:0','user',NULL,1812618000000000,NULL);
CREATE TABLE spaces (
	id BIGINT NOT NULL, 
	embedder TEXT NOT NULL, 
	dimension INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "spaces" VALUES(67740524219279,'words',16,1777712400000000);
CREATE TABLE spend (
	tenant VARCHAR(256) NOT NULL, 
	day VARCHAR(10) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	model VARCHAR(256) NOT NULL, 
	tokens_in BIGINT NOT NULL, 
	tokens_out BIGINT NOT NULL, 
	calls BIGINT NOT NULL, 
	PRIMARY KEY (tenant, day, user_id, model)
);
CREATE TABLE steps (
	tenant VARCHAR(256) NOT NULL, 
	task_id VARCHAR(256) NOT NULL, 
	number INTEGER NOT NULL, 
	iteration INTEGER NOT NULL, 
	tool TEXT NOT NULL, 
	parameters JSON NOT NULL, 
	output TEXT NOT NULL, 
	output_chars BIGINT NOT NULL, 
	success BOOLEAN NOT NULL, 
	duration_ms FLOAT, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, task_id, number), 
	FOREIGN KEY(tenant, task_id) REFERENCES tasks (tenant, id) ON DELETE CASCADE
);
INSERT INTO "steps" VALUES('default','t0',1,1,'kubectl','{"part": 0}','ok',2,1,NULL,1778144400000000);
INSERT INTO "steps" VALUES('default','t1',1,1,'kubectl','{"part": 1}','ok',2,1,NULL,1778148000000000);
INSERT INTO "steps" VALUES('default','t2',1,1,'ssh','{"part": 2}','ok',2,1,NULL,1778151600000000);
INSERT INTO "steps" VALUES('default','t3',1,1,'kubectl','{"part": 3}','ok',2,1,NULL,1778155200000000);
INSERT INTO "steps" VALUES('default','t4',1,1,'ssh','{"part": 4}','ok',2,1,NULL,1778158800000000);
INSERT INTO "steps" VALUES('default','t5',1,1,'kubectl','{"part": 5}','ok',2,1,NULL,1778162400000000);
CREATE TABLE tasks (
	tenant VARCHAR(256) NOT NULL, 
	id VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	agent_id VARCHAR(256) NOT NULL, 
	session_id VARCHAR(256) NOT NULL, 
	goal_id VARCHAR(256), 
	description TEXT NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	summary TEXT NOT NULL, 
	started_at BIGINT, 
	finished_at BIGINT, 
	archived_at BIGINT, 
	metadata JSON NOT NULL, 
	created_at BIGINT NOT NULL, 
	updated_at BIGINT NOT NULL, 
	PRIMARY KEY (tenant, id)
);
INSERT INTO "tasks" VALUES('default','t0','alex','','','g1','Deploy part 0','succeeded','Part 0 went out',1778144400000000,1778148000000000,1812726000000000,'{}',1778144400000000,1778148000000000);
INSERT INTO "tasks" VALUES('default','t1','alex','','','g1','Deploy part 1','succeeded','Part 1 went out',1778148000000000,1778151600000000,1812726000000000,'{}',1778148000000000,1778151600000000);
INSERT INTO "tasks" VALUES('default','t2','alex','','','g1','Deploy part 2','failed','Part 2 went out',1778151600000000,1778155200000000,1812726000000000,'{}',1778151600000000,1778155200000000);
INSERT INTO "tasks" VALUES('default','t3','alex','','','g1','Deploy part 3','succeeded','Part 3 went out',1778155200000000,1778158800000000,1812726000000000,'{}',1778155200000000,1778158800000000);
INSERT INTO "tasks" VALUES('default','t4','alex','','','g1','Deploy part 4','failed','Part 4 went out',1778158800000000,1778162400000000,1812726000000000,'{}',1778158800000000,1778162400000000);
INSERT INTO "tasks" VALUES('default','t5','alex','','','g1','Deploy part 5','running','',1778162400000000,NULL,NULL,'{}',1778162400000000,1778162400000000);
CREATE TABLE tombstones (
	tenant VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	revision BIGINT NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	PRIMARY KEY (tenant, user_id, revision)
);
INSERT INTO "tombstones" VALUES('default','sam',39,'019dfc83-f680-7007-8916-2edd5f30db8c');
INSERT INTO "tombstones" VALUES('acme','sam',39,'01a60ee3-a980-7047-a37a-870fdc425d7c');
CREATE TABLE vectors (
	tenant VARCHAR(256) NOT NULL, 
	space BIGINT NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	shelf BIGINT NOT NULL, 
	revision BIGINT NOT NULL, 
	embedded_hash BLOB NOT NULL, 
	embedding BLOB NOT NULL, 
	words BLOB, 
	PRIMARY KEY (tenant, space, item_id), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "vectors" VALUES('default',67740524219279,'019de7ea-8680-7001-9850-99095aa30016',537532586067061,630,X'085EC46888E8B9BD07021D9BB003BB1DD59E6B8C0D7E613665ED74551FA34160',X'58B1933399AC0CB45D38F72E32B4372C0C31EF0C8636F3ACE830A5B366364131',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019de7ea-8680-7002-9a67-036f9b540d6b',537532586067061,632,X'93AD96E242695A7771047D823E085D30213AE4202C69BF884FA7D34CDBEEC1E1',X'763296ADCB316E20AA30E63836B43B2D42B48DAE6BAAD034ED3715B125A94325',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019de7ea-8680-7003-94da-8c659ce2b10c',537532586067061,634,X'24DAFD87E567066BEB0C3480CAAEE42E0E06B3830E263D4AE5FD1CD12FFAE0AD',X'FA2E2F30FCB018A470320229D1B4B4B34437B52FFF34F8B65437732F712BAEB0',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019ded10-e280-7001-a4e6-ed24ec636a8a',537532586067061,636,X'8D1A237CA7D2A9F627A75F0423A5990BD56256A2C532F19E24336737E3A7718E',X'C2380F33CEA7B7B73A2FE33217B0B827C0B355B1C0B412B3EF2E212921AE8F32',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019ded10-e280-7002-80a1-271e58662792',537532586067061,638,X'BA9DFDD285769B6D7173E6BA46DF2467F92464F35F03CDE55F5A1244C9CA35B4',X'7D270428DFAD3AAA692F7B3645B2B2340DB1A62EC8B2E13469397EB2B2ADB2AC',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019ded10-e280-7003-a9fb-388c22e44cb6',256057609356405,27,X'BC9B9DC9E4BA4FA8267F0A72722846671715225C2053F08F3BD475B36319C3F0',X'08347832D4337CB766B053339FAC5DA541B8ADB2B1B638B041B06E2900AAF998',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019df237-3e80-7001-beb0-766d1877f8c6',537532586067061,640,X'0F0E6DBBBB4192CF4786C1C8067E477DE1FB035FC2239DADCB7B7F95DB69307F',X'97AC1E3487B0B5B5E3344235CFB43D359E2F9C2F33358A240D9ED1B25835D634',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019df237-3e80-7002-aff2-6b5010af3177',537532586067061,642,X'C28B3193ADB89B3EFCE24B778778F935BC566283C70E2A04D479A656862DD36C',X'583301309CA672ABD72C45382BB3EE2D25B26F36E6B08EA080384AB1722EEE29',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019df237-3e80-7003-af6e-0d935520dd4c',256057609356405,50,X'5572490356E46CFC19B0FB13B2E435540CBBFD3162CEC814A806F90163697EF3',X'EC32FC311FB4A3B121A9533536B6E72DFE366A342B3465B596341730D6247C29',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019df75d-9a80-7001-b8bd-ecface4abd12',537532586067061,644,X'6FAE9C8E227118D15FDEC88FC2E758D278F5226224E22B2C71011B5CA42D0A97',X'7630B9AC49B03CB0CFA7FD33CEB18734F5B347AAFD3070B3FBB0AAB7CD30B238',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019df75d-9a80-7002-908f-391ebc070e83',537532586067061,646,X'F41E0729B9BE1FB6D53411177047F9A3B4A441313449EC08F27AEAFB5A11C727',X'992EBDB17E26A62C9232CD38DAB31F35C6B5D72A2AACAA2DA5366FAD3C22ED33',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019df75d-9a80-7003-9eea-bac37a0dde8e',256057609356405,69,X'ED05E309163617DD9C95465B84BE26CD2CDBE4A06A862F0EB0BC200B8CE71F16',X'63319CAE30AC9DB705B74921DCAFC22EDBAE563075B23929C83006B59CA88138',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019dfc83-f680-7001-8d9f-28984b14267f',537532586067061,648,X'299AB1813E750A3E08161EB1CEAA0BE0FE4B846D941F41791F6D1EBBA7E57FEF',X'482F8C296DB0F2256434F63807AC123125B23AB42624632EC638BDA91EA668A8',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019dfc83-f680-7003-a5a9-69d270831572',444153937411201,58,X'30710D392FC5FFEC7C9FA17E1CDD7FB4ABDED1116B9D614E4B67EDC3CC76C8E5',X'253043AFCC2C87A37D3054B536B1CDACB42A8036993366B7873558B7E0311F11',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019dfc83-f680-7005-b8fd-f91d0aaa627e',444153937411201,60,X'CE939836ECF2F15FE8C4B41944D036C6FCFC7D9DEDAC7277BFA0D0E1721DB543',X'31B61DA728AE6432C534EB3588A98A345734F5A668324A262CB2FF31633839AC',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019dfc83-f680-7006-a7f9-a0141afb962a',162678960700545,6,X'305D5FAAC25491DFE07E5383E2A34396A2A0A07682CA64E6D478DAF6D0810B23',X'5520E43075B44AA8E93298388E2595ACAB31AEA63AA61AB2BFB01239CD2FC72D',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01aa-5280-7000-9fcc-d096cf05ae2e',256057609356405,124,X'8B29884B64B50F580B7CC7CD023E4C7DC46E0DF9FEEF6DBB07683DA9736B8FA5',X'EEB4483398369AB050B75A346CB42232F92AA3348CB0F82B5CB159B210304F34',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019dfc83-f680-7009-b686-613b898c94a8',256057609356405,125,X'D28CD022544D2A0D26664A620D0FB709B00415BECF61BDF14E6639E8D47E0CD1',X'CA2EE63666312CAC9BAE0D3726B462145B223C34509E46387E2821B5CC964A32',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01aa-5280-7001-a57a-d20d5d9ae674',241843984150829,2,X'BBB03F20EE9AF71CE9330ADA00186EDD42BA1DCC35C147C4993A14F0218EC7DC',X'B238323310B097AC9535D636F831892CAEA83A3454B079B446AA1F317BB2112B',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01aa-5280-7002-a3f1-726423e4e765',162678960700545,41,X'606A466929C646AC304F7E8DEDA169FBAEA528955A5B122E55A7280D8E62BE65',X'B1B3E32CB134B1AAE9A8B326BEB42C3838272C252E370F2E4FB2CF3318B45035',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01aa-5280-7003-847a-2366ad0ce564',162678960700545,43,X'8AAC79217E5F464802C8ED72139C7AEBEF2F1461E804F4CC1DE116001B43CBB8',X'BBB0DE9CD83512B281B5493725B75E33B530B11EED2B8133E8B4582E022C91B2',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01aa-5280-7006-ba39-87069d330012',256057609356405,181,X'554229A89F0115EA655F085B2925B60A0C8DFF81094A62A001EF64A00DAA0B2A',X'65338BADB632CA28F89B973013B5202D43AE8A290933963793B145380E341DB5',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01e1-4100-7001-9715-4b77682cfb7a',537532586067061,650,X'BE3A6428594FDBE964937EE35B163D67A930AAE0158F66E8A3740042BA3B8AA5',X'88300E1BB638E034D6B4E2AC0AB4A733B821B4AC89351D35D2B0763255A6A5B1',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01aa-5280-7004-95c1-0d570943c999',256057609356405,202,X'113402C1F2CA7EF10ACFBFE88B3C353FC15068406796F751718497972562D84B',X'A43035318C365A3112B469AE00B38632C2207BB0D436643839B4FA2EACA873AD',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01e1-4100-7004-ad41-ec062aa815c2',256057609356405,240,X'F581F3D6F32041728B9F44D66A2A5354BAC8690D2ED0B0C8875738536AA5A442',X'FB30C3A6832C9E1DA9A1B12C0DB50A337CAB3B3130303B38A6A837388D334FB6',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e0218-2f80-7001-a024-70c78bc0b080',537532586067061,652,X'312D51D07E1D88345414187AA0E772BDDF6BC5563A91A5027848BF77F07A28B8',X'1DA0AA2FB635383458B512B36FB3E837E72D2B30FA312D36972EA83068AD95B4',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e01e1-4100-7002-ae0a-5429c27f2e84',256057609356405,261,X'74575549C9E5E46C3D15E7C67F0A8EFE0D12DF6F52BE339958671794EF041ABF',X'32245B346932F92F7AB43FB364B2C136112D1228B734F538A9AA192BAEAD9AB1',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e0218-2f80-7004-9ce2-260786eb44ca',256057609356405,299,X'C95B6754CDC910D8B667C5C65FDF805A631F408F6D54681091A18BD6600D8210',X'6D344428D82E029825A8363149B5442E49AD8D350E3142358BAD3E388435FDB4',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e024f-1e00-7001-8038-703889f8261a',537532586067061,654,X'066EE392F7F01105E3377768FCF0D55E7D0B60A5DF2144756051EA39E9239641',X'0A334733D4360134F9B5F4AA63B48434D1299137C133FD29DE20AE310430F4B0',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e0218-2f80-7002-9744-7ed136409366',256057609356405,320,X'94B22B93BE2023877DD1313BC9C96FB8EA19B0BFDF5B881D5A12160FC8EB1AF3',X'683358368734DD2F74B5C1AD1AB42A346429B035F535AF359CB0C62D6B2E47AC',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e024f-1e00-7004-b000-45c8716724b6',256057609356405,358,X'61D727CDB2F92488D6D4AB8F25B95CC1CEF8DD472299E06F5EE1E916AE6673B3',X'483219B15130212D502B4E3381B5E93362B21F3071321236C9B06F387B3457B1',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e0286-0c80-7001-ad49-61f28f44bd15',537532586067061,656,X'B122E74D1AB757A8E2006E7A7F50621B54791FEAC32423BDE8C180A1E9CFA4F0',X'252DF4AF2E37FA3514B2C32CC2B4363859B1F32CF134E330D1AEAA334126C42D',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e024f-1e00-7002-b9c5-be7a4347c1e8',256057609356405,379,X'D0562DC7163FE6D95D8B42EC306336B4443F8D4E5CF664CBBD4B33A0EA7BE55A',X'462EB02AF934DC3364B14D286BB4C837FEB026A0BA36D636A7B3E7301B1FF930',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e0286-0c80-7004-be28-8821b2407a05',256057609356405,417,X'B324BBF6CD6856ECFB1A853C262FD61BECC44D852952F3B3043615183288E875',X'683284A5612A1E2A772C673163B31E305FACD1A94A345C368EAFFE386C34E3B5',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02bc-fb00-7001-8a3f-78408dbc7836',537532586067061,658,X'B8B7E6E2D91CEB3E300E3809794961D8D9C4C0F0911F57BE4BEA8BC9C761C392',X'0A2D8130A035F235ADB220ABCAADD6353C2D38B492376D31F8A9A035AAA23AB4',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e0286-0c80-7002-b9ad-6b25ef11909c',256057609356405,438,X'86C72ECB3813A7A1A2631AE5FA9E3E14361CAFA673126CBDD20109D1F12A6D91',X'D32DC634C431793252B171ADD2ACD5345D2CEBB451382C3710B20D3324A7A3B0',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02bc-fb00-7003-bb0b-8e214470970f',256057609356405,457,X'BA369C914B17540A8CB8B54C7FD7C4806341A6279B9BD6DC7F824AD09DA1C499',X'B295A7B07F33CF35C6B4F130B8A6C639A6AF6930163075306A2F8C30262FA0B2',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02bc-fb00-7004-96ae-2588dbbfde26',256057609356405,476,X'2E72DF4BE8D8AFC796C8D801E22CA110BD9F512631DE035A9140D131A9498647',X'3B2C83247538113562B51D316030583624298D2E9F33F430EC3015345FAAB0B4',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02bc-fb00-7006-866f-96cca7745926',256057609356405,495,X'D80CC627BCF24816E6A8C745BE7983B83BFF624CA18CB8835858963239875128',X'3B3217ADED32462BA0A89E3402AEFE3139ADC83078314F368D1BAD38C13377B6',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02f3-e980-7000-99fc-291bca371be2',256057609356405,515,X'27BBBE75241AB6B37E8633C60DE5214489166012CF0035116C554DEA65AAB569',X'8A3762B532AC72B78CB541AC89322AACC6A616B1E62399AA03B60AAD49341DB1',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02f3-e980-7003-a864-85881549afce',241843984150829,36,X'AC781D5815F1B0A3EFDCB5D4388A78FBFF6BC801345D09F07892833E09E30DE6',X'0A32462C60A912B4EEB43AAE9EAA4531103450B473B462AE3DA6D83173392532',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02f3-e980-7005-92f2-79f17fd7dc33',241843984150829,55,X'9BD7C3390C05F23E5666083017F048D3ED176F5DDB031CB0A90E5268EAD37899',X'8831F5B30135E92C34B7D829762C1EAEEC2FACAF722E59B4ED351E37E8352028',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02f3-e980-7007-8d86-62abacfe824d',241843984150829,74,X'B6C624DF67D712911D6AA42B14A491C42CD080B5B4953F217DA09FF513AB035E',X'3634DDACFDAA222DFAB3C72A8CB3313709B06934A72FDBAEE7308B38CB346132',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'019e02f3-e980-7009-8445-9a24d0accb40',241843984150829,93,X'0469CB74B15FA51616505FC7B6A4229042F7057E2D0FDB0F0DF2DE9CE4529E0B',X'E631FC294D30DCAE39AD08319FA5279AC9B3D8B0B8337BADBC2BC0391536CD34',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7001-8705-a104ba676462',256057609356405,520,X'52D8EB2E15DCD858FFDB4AF26A5E5A300A56C5BD92294D5F7270806D7D968738',X'1DB522A62D33EA32F9AC231D5B32F7B3069F18B088388024AE2BEB316D38F3AE',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7002-996a-2efca1f825eb',256057609356405,606,X'937DD3D63EE46AC31448274F1BC4B80570CF599F1DF0CC052D7352F91FBC81CF',X'063394251C345B24EBAF1225C1B09E355CB08FADBD35B738F4B29B32663129B5',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7003-8573-220af6f9e8e7',256057609356405,607,X'54ACAB22525BD4C85D546BAE838F09834F152A36E51FFB9BC1BA5E5FCA528E54',X'4F2F792EE72C29A647B0CFAC05B0263854ADED2AAB33063939A92E3133304DB6',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7004-a96a-52e9b69b0cad',256057609356405,608,X'422D169DDA0245C0C30FD6FC9D76DF5B85EDE44C7DFAB76C0A2CA9C8F747C0BD',X'263397326D297EAA94B048276FB10F37AEA8EA358434DE36B0AE5431553417B6',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7005-8c82-12921de59e7e',256057609356405,609,X'471098EEDF3C56272BFCE0126FDFF57B337BA52AC8C9208DECF07840B1D335EB',X'AB3194AC3B31982CE8A92130EDB1863844B4B5256535903701B297338C322FB0',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7006-8293-e16c606931e5',256057609356405,610,X'7BB39A50AF77C20723A29F2290117C51CB0BB7E5F8FA5042AF3E8653C353589C',X'5F2F3F3045A87722DEA1CF2711A88437E4A37BB09536F93777B03D346C31F7B6',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7007-b62c-0e11660fb343',256057609356405,628,X'E1CA33241DFD329567B0C1844EBA3975F4055CB4E6D1B5DD856DC6EEA197C17A',X'1F35B3B582A6D435FEA953333227F634E820053487330FAC2CAA0138D33477B0',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7008-a8e0-14213b870f0b',241843984150829,111,X'926C3C5FA153BD573DA2C3607018032B11A115CF0D18EB53AACECFD8A2ECA941',X'5B36BE3232B59AB3BCB51B3431B26535792DD1AFE22B7936F52E19B0BAB178B2',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-7009-80d8-8a2d26f44045',256057609356405,661,X'C2186EE8452F7850A8779B88DB75ABFC2AC50F01CE03831B42D481F909A5626B',X'8D3310B53AB4C7346A2FCA2EA832E0B1B19C56B131342D344934462AEE370B35',NULL);
INSERT INTO "vectors" VALUES('default',67740524219279,'01a60ee3-a980-700a-9b0f-d55847e7bdcd',256057609356405,662,X'ED251864987C367E9641FBDC89C1D83E9BF0FA2E3EECEF8F301C79F619BFAC81',X'BBB638B22BB411AA34B16438FDAB7F32BE31C8B29C3208359AAFE7B37C3280AD',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7011-bbd7-0fb0161c1637',554593635355125,108,X'085EC46888E8B9BD07021D9BB003BB1DD59E6B8C0D7E613665ED74551FA34160',X'58B1933399AC0CB45D38F72E32B4372C0C31EF0C8636F3ACE830A5B366364131',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7013-977d-bb57cd0dd932',554593635355125,110,X'93AD96E242695A7771047D823E085D30213AE4202C69BF884FA7D34CDBEEC1E1',X'763296ADCB316E20AA30E63836B43B2D42B48DAE6BAAD034ED3715B125A94325',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7015-a6e3-1a126f611da0',554593635355125,112,X'24DAFD87E567066BEB0C3480CAAEE42E0E06B3830E263D4AE5FD1CD12FFAE0AD',X'FA2E2F30FCB018A470320229D1B4B4B34437B52FFF34F8B65437732F712BAEB0',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-701a-8ec7-2c48c48a4999',554593635355125,114,X'8D1A237CA7D2A9F627A75F0423A5990BD56256A2C532F19E24336737E3A7718E',X'C2380F33CEA7B7B73A2FE33217B0B827C0B355B1C0B412B3EF2E212921AE8F32',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-701c-aee1-054b3aaf940b',554593635355125,116,X'BA9DFDD285769B6D7173E6BA46DF2467F92464F35F03CDE55F5A1244C9CA35B4',X'7D270428DFAD3AAA692F7B3645B2B2340DB1A62EC8B2E13469397EB2B2ADB2AC',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-701e-b40b-943e1180d108',273118658644469,27,X'BC9B9DC9E4BA4FA8267F0A72722846671715225C2053F08F3BD475B36319C3F0',X'08347832D4337CB766B053339FAC5DA541B8ADB2B1B638B041B06E2900AAF998',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7023-8c6d-733359af883f',554593635355125,118,X'0F0E6DBBBB4192CF4786C1C8067E477DE1FB035FC2239DADCB7B7F95DB69307F',X'97AC1E3487B0B5B5E3344235CFB43D359E2F9C2F33358A240D9ED1B25835D634',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7025-ab70-4401940e4217',554593635355125,120,X'C28B3193ADB89B3EFCE24B778778F935BC566283C70E2A04D479A656862DD36C',X'583301309CA672ABD72C45382BB3EE2D25B26F36E6B08EA080384AB1722EEE29',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7027-bec9-e895c2b527f5',273118658644469,50,X'5572490356E46CFC19B0FB13B2E435540CBBFD3162CEC814A806F90163697EF3',X'EC32FC311FB4A3B121A9533536B6E72DFE366A342B3465B596341730D6247C29',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-702d-9837-4326cfcbbf48',554593635355125,122,X'6FAE9C8E227118D15FDEC88FC2E758D278F5226224E22B2C71011B5CA42D0A97',X'7630B9AC49B03CB0CFA7FD33CEB18734F5B347AAFD3070B3FBB0AAB7CD30B238',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-702f-b407-aaa4347b0e25',554593635355125,124,X'F41E0729B9BE1FB6D53411177047F9A3B4A441313449EC08F27AEAFB5A11C727',X'992EBDB17E26A62C9232CD38DAB31F35C6B5D72A2AACAA2DA5366FAD3C22ED33',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7031-84f5-1486ede6bbc0',273118658644469,69,X'ED05E309163617DD9C95465B84BE26CD2CDBE4A06A862F0EB0BC200B8CE71F16',X'63319CAE30AC9DB705B74921DCAFC22EDBAE563075B23929C83006B59CA88138',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7036-95d2-7db1156d94a4',554593635355125,126,X'299AB1813E750A3E08161EB1CEAA0BE0FE4B846D941F41791F6D1EBBA7E57FEF',X'482F8C296DB0F2256434F63807AC123125B23AB42624632EC638BDA91EA668A8',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-703d-bcda-02899f818917',543952231879082,41,X'30710D392FC5FFEC7C9FA17E1CDD7FB4ABDED1116B9D614E4B67EDC3CC76C8E5',X'253043AFCC2C87A37D3054B536B1CDACB42A8036993366B7873558B7E0311F11',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7042-b9c6-c9f9a4d8d875',543952231879082,43,X'CE939836ECF2F15FE8C4B41944D036C6FCFC7D9DEDAC7277BFA0D0E1721DB543',X'31B61DA728AE6432C534EB3588A98A345734F5A668324A262CB2FF31633839AC',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7044-af31-d513e0488699',262477255168426,6,X'305D5FAAC25491DFE07E5383E2A34396A2A0A07682CA64E6D478DAF6D0810B23',X'5520E43075B44AA8E93298388E2595ACAB31AEA63AA61AB2BFB01239CD2FC72D',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7050-95b8-c644527e0863',273118658644469,106,X'52D8EB2E15DCD858FFDB4AF26A5E5A300A56C5BD92294D5F7270806D7D968738',X'1DB522A62D33EA32F9AC231D5B32F7B3069F18B088388024AE2BEB316D38F3AE',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7053-ade5-0db4d1fe7c5d',273118658644469,129,X'C2186EE8452F7850A8779B88DB75ABFC2AC50F01CE03831B42D481F909A5626B',X'8D3310B53AB4C7346A2FCA2EA832E0B1B19C56B131342D344934462AEE370B35',NULL);
INSERT INTO "vectors" VALUES('acme',67740524219279,'01a60ee3-a980-7055-8d0a-d0e5ce0d4be0',273118658644469,130,X'ED251864987C367E9641FBDC89C1D83E9BF0FA2E3EECEF8F301C79F619BFAC81',X'BBB638B22BB411AA34B16438FDAB7F32BE31C8B29C3208359AAFE7B37C3280AD',NULL);
CREATE INDEX attributes_by_value ON attributes (tenant, user_id, attribute);
CREATE INDEX cached_patterns_by_time ON cached_patterns (tenant, user_id, updated_at, id);
CREATE INDEX claims_by_subject ON claims (tenant, user_id, subject, relation);
CREATE INDEX config_changes_by_time ON config_changes (tenant, user_id, updated_at, id);
CREATE INDEX contexts_by_time ON contexts (tenant, user_id, at, id);
CREATE INDEX decisions_by_goal ON decisions (tenant, goal_id);
CREATE INDEX decisions_by_task ON decisions (tenant, task_id);
CREATE INDEX decisions_by_time ON decisions (tenant, user_id, updated_at, id);
CREATE INDEX deliveries_by_event ON deliveries (tenant, event_id);
CREATE INDEX documents_by_time ON documents (tenant, user_id, updated_at, id);
CREATE INDEX events_by_time ON events (tenant, at, id);
CREATE INDEX executions_by_task ON executions (tenant, task_id);
CREATE INDEX executions_by_time ON executions (tenant, user_id, updated_at, id);
CREATE INDEX executions_by_type ON executions (tenant, user_id, type, created_at);
CREATE INDEX generation_changes_by_user ON generation_changes (tenant, user_id);
CREATE INDEX goals_by_parent ON goals (tenant, parent_id);
CREATE INDEX goals_by_status ON goals (tenant, status, id);
CREATE INDEX goals_by_time ON goals (tenant, user_id, updated_at, id);
CREATE INDEX history_by_user ON history (tenant, user_id);
CREATE INDEX idempotency_by_user ON idempotency (tenant, user_id);
CREATE INDEX incidents_by_time ON incidents (tenant, user_id, updated_at, id);
CREATE INDEX interactions_by_session ON interactions (tenant, user_id, session_id, id);
CREATE INDEX interactions_by_time ON interactions (tenant, occurred_at, id);
CREATE INDEX interactions_in_backlog ON interactions (tenant, backlog, id) WHERE backlog IS NOT NULL;
CREATE INDEX items_by_content ON items (tenant, user_id, content_hash);
CREATE INDEX items_by_record ON items (tenant, record) WHERE record IS NOT NULL;
CREATE INDEX items_by_revision ON items (tenant, user_id, revision);
CREATE INDEX items_by_successor ON items (tenant, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX items_by_time ON items (tenant, user_id, occurred_at, id);
CREATE INDEX items_by_version ON items (tenant, version_of) WHERE version_of IS NOT NULL;
CREATE INDEX items_unembedded ON items (tenant, id) WHERE unembedded;
CREATE INDEX links_by_other ON links (tenant, other_id);
CREATE INDEX mentions_by_entity ON mentions (tenant, user_id, entity);
CREATE INDEX pattern_feedback_by_pattern ON pattern_feedback (tenant, pattern_id, id);
CREATE INDEX patterns_by_subject ON patterns (tenant, user_id, subject);
CREATE INDEX patterns_by_time ON patterns (tenant, user_id, updated_at, id);
CREATE INDEX procedures_by_time ON procedures (tenant, user_id, updated_at, id);
CREATE INDEX sources_by_interaction ON sources (tenant, interaction_id);
CREATE INDEX tasks_by_goal ON tasks (tenant, goal_id);
CREATE INDEX tasks_by_status ON tasks (tenant, status, id);
CREATE INDEX tasks_by_time ON tasks (tenant, user_id, updated_at, id);
CREATE INDEX vectors_by_content ON vectors (tenant, space, embedded_hash);
CREATE INDEX vectors_by_item ON vectors (tenant, item_id);
CREATE INDEX vectors_by_revision ON vectors (tenant, space, shelf, revision);
CREATE INDEX vectors_without_words ON vectors (tenant, space, item_id) WHERE words IS NULL;
CREATE UNIQUE INDEX api_keys_by_id ON api_keys (id);
COMMIT;
