BEGIN TRANSACTION;
CREATE TABLE attributes (
	tenant VARCHAR(256) NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	attribute BLOB NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	PRIMARY KEY (tenant, item_id, attribute), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7001-ab90-2f8911e81818',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7001-ab90-2f8911e81818',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7001-ab90-2f8911e81818',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7002-b8c9-9d5d5d983195',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7002-b8c9-9d5d5d983195',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7002-b8c9-9d5d5d983195',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-9930-263938b370a1',X'8F6E29CFB2F0DF76F9F90F221EDF3A7B','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-9930-263938b370a1',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-9930-263938b370a1',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-9930-263938b370a1',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019de7ea-8680-7003-9930-263938b370a1',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7001-8b96-c4dbadbe1722',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7001-8b96-c4dbadbe1722',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7001-8b96-c4dbadbe1722',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7001-8b96-c4dbadbe1722',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7002-96d5-234a42b24c6b',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7002-96d5-234a42b24c6b',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7002-96d5-234a42b24c6b',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7002-96d5-234a42b24c6b',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177',X'DA8618A10D16CC901DE629DF8BC8520D','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7001-977c-090af4e146f6',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7001-977c-090af4e146f6',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7001-977c-090af4e146f6',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7001-977c-090af4e146f6',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7002-9031-10ab86efde13',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7002-9031-10ab86efde13',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7002-9031-10ab86efde13',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7002-9031-10ab86efde13',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7001-b6fb-94b3cb6d424f',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7001-b6fb-94b3cb6d424f',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('default','019dfc83-f680-7001-b6fb-94b3cb6d424f',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'8F6E29CFB2F0DF76F9F90F221EDF3A7B','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7001-a57a-d20d5d9ae674',X'3B34F04DA97931D811CCD5E524EB33CC','');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7006-9e89-fc155ae2e424',X'92CE924151D77E6FE3E7EDA1A335E07F','alex');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7006-9e89-fc155ae2e424',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7000-93ca-73f30da5b7f3',X'8F79605235AF631E5495F619C7753E08','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7000-93ca-73f30da5b7f3',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7004-9ef6-93407c8d99f4',X'8F79605235AF631E5495F619C7753E08','alex');
INSERT INTO "attributes" VALUES('default','019e01aa-5280-7004-9ef6-93407c8d99f4',X'15C23FFA5D5321EA4EC329F0DD49AD0B','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7003-82ec-6454bddbeda2',X'2EB01297C0D9DC4A0A6ED5F970EC57DE','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7003-82ec-6454bddbeda2',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7000-a751-68bdfdc6a6cd',X'052592B29BF10305BF2E163ED6D7A49B','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7000-a751-68bdfdc6a6cd',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7001-92de-02dda2774c17',X'052592B29BF10305BF2E163ED6D7A49B','alex');
INSERT INTO "attributes" VALUES('default','019e01e1-4100-7001-92de-02dda2774c17',X'15C23FFA5D5321EA4EC329F0DD49AD0B','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7003-8038-703889f8261a',X'1DE03A32B4AE427F31183EF17E4096B9','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7003-8038-703889f8261a',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7000-b9c5-be7a4347c1e8',X'4651B5A793CDCA26E9A3EEA6DB3C55BD','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7000-b9c5-be7a4347c1e8',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7001-9240-594204b79231',X'4651B5A793CDCA26E9A3EEA6DB3C55BD','alex');
INSERT INTO "attributes" VALUES('default','019e0218-2f80-7001-9240-594204b79231',X'64E39E2AF34AA6D989CAEFA4953BE421','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7003-8e49-c166e65c4cbe',X'E85EA2CE4E4CA5848CE55DEA4A6EA262','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7003-8e49-c166e65c4cbe',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7000-b4e9-76ce9b52e6a7',X'C4AA9D9AA12D779D1CD2D827C0AF98C7','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7000-b4e9-76ce9b52e6a7',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7001-9234-09c0a1980633',X'C4AA9D9AA12D779D1CD2D827C0AF98C7','alex');
INSERT INTO "attributes" VALUES('default','019e024f-1e00-7001-9234-09c0a1980633',X'15C23FFA5D5321EA4EC329F0DD49AD0B','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7003-95e9-7ed30d5cb8df',X'6A4B47DE8DCC7EFCF43B705A6CD29925','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7003-95e9-7ed30d5cb8df',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7000-8668-446bb4cd8dd5',X'56459E3E7884C260D34FEAB59689F33D','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7000-8668-446bb4cd8dd5',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7001-be28-8821b2407a05',X'56459E3E7884C260D34FEAB59689F33D','alex');
INSERT INTO "attributes" VALUES('default','019e0286-0c80-7001-be28-8821b2407a05',X'64E39E2AF34AA6D989CAEFA4953BE421','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7001-9b4b-ae6b016dbfd3',X'D66B48115C7ABE71B4B8CE4A9F51B284','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7001-9b4b-ae6b016dbfd3',X'7AEDC982DF9EB503671CA9FBD182D938','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7003-91b8-0101557daac6',X'F72DEF9A1997EBE4B7E3D319C96F3031','alex');
INSERT INTO "attributes" VALUES('default','019e02bc-fb00-7003-91b8-0101557daac6',X'04DBA32198937182AF7197C0F9DED947','alex');
INSERT INTO "attributes" VALUES('default','019e02f3-e980-7000-b214-c6c82b0ec8c6',X'B1083755A288E78FB106EB78055E2DAF','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7008-b3a6-2e71540de450',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7008-b3a6-2e71540de450',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7008-b3a6-2e71540de450',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7009-8561-9212fbd7d0ab',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7009-8561-9212fbd7d0ab',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7009-8561-9212fbd7d0ab',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4',X'8F6E29CFB2F0DF76F9F90F221EDF3A7B','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4',X'ED0180E6BA0F3933D838A812F0219BB4','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700c-8629-f46504f68ae2',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700c-8629-f46504f68ae2',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700c-8629-f46504f68ae2',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700c-8629-f46504f68ae2',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700d-9a1f-bd7ca5f1ac29',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700d-9a1f-bd7ca5f1ac29',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700d-9a1f-bd7ca5f1ac29',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700d-9a1f-bd7ca5f1ac29',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b',X'8DAEFB0450195C6834F402ECED91BC3C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7011-90af-b99f61e1a24b',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7011-90af-b99f61e1a24b',X'DA8618A10D16CC901DE629DF8BC8520D','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7011-90af-b99f61e1a24b',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7014-8c82-12921de59e7e',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7014-8c82-12921de59e7e',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7014-8c82-12921de59e7e',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7014-8c82-12921de59e7e',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-8e8e-4eb37773b953',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-8e8e-4eb37773b953',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-8e8e-4eb37773b953',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7015-8e8e-4eb37773b953',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16',X'58695D278EC15833C2FF83F37FA90B05','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16',X'5DD8044FFA066E2D38F92EF026FEC489','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7018-8ca6-d256a1d48afe',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7018-8ca6-d256a1d48afe',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7018-8ca6-d256a1d48afe',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7010-a50b-dd548c8b7684',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7010-a50b-dd548c8b7684',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7010-a50b-dd548c8b7684',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45',X'8F6E29CFB2F0DF76F9F90F221EDF3A7B','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45',X'A3859360BB52673D2901677E950A1B71','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45',X'001DF4F6F6A9C5475BC77D38B6371DF0','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45',X'FB145999B9073EFEB2267AACFEC73D6C','alex');
INSERT INTO "attributes" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45',X'C9D2D025F172472CF04A7F5FD31A0E97','alex');
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
INSERT INTO "claims" VALUES('default','019de7ea-8680-7003-9930-263938b370a1','alex','','home','lisbon','8560487722268418183',1,0);
INSERT INTO "claims" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830','alex','sister','name','mia','15767809904061340542',1,0);
INSERT INTO "claims" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','alex','','home','porto','3421188013931053622',1,0);
INSERT INTO "claims" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc','alex','','likes','plums','16583067884780624945',0,0);
INSERT INTO "claims" VALUES('default','019dfc83-f680-7006-bdc0-a2262a7c3e15','alex','','prefers','aisle seat','10399262693697425903 10258756856396475753',0,0);
INSERT INTO "claims" VALUES('default','019e01aa-5280-7001-a57a-d20d5d9ae674','','office','is','closed on mondays','13320078010170037302 155246201880403168',0,0);
INSERT INTO "claims" VALUES('default','019e01aa-5280-7002-ac68-811a5c14457b','sam','','plays','cello','896006450369257004',0,0);
INSERT INTO "claims" VALUES('default','019e01aa-5280-7003-9d98-750da08c351a','sam','','has','boat','5466900226927393365',0,0);
INSERT INTO "claims" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4','alex','','home','lisbon','8560487722268418183',1,0);
INSERT INTO "claims" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b','alex','sister','name','mia','15767809904061340542',1,0);
INSERT INTO "claims" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','alex','','home','porto','3421188013931053622',1,0);
INSERT INTO "claims" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16','alex','','likes','plums','16583067884780624945',0,0);
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
INSERT INTO "decisions" VALUES('default','019e01aa-5280-7005-ab96-721fc3ce871d','alex','','',NULL,'t0','','Roll out part 0','It is ready','','[]',NULL,NULL,NULL,NULL,'{}',1778144400000000,1778144400000000);
INSERT INTO "decisions" VALUES('default','019e01e1-4100-7002-9709-e05dd4a183e8','alex','','',NULL,'t1','','Roll out part 1','It is ready','','[]',NULL,NULL,NULL,NULL,'{}',1778148000000000,1778148000000000);
INSERT INTO "decisions" VALUES('default','019e0218-2f80-7002-8983-7d721f2afece','alex','','',NULL,'t2','','Roll out part 2','It is ready','','[]',NULL,NULL,NULL,NULL,'{}',1778151600000000,1778151600000000);
INSERT INTO "decisions" VALUES('default','019e024f-1e00-7002-9fc7-04ca458ec6a2','alex','','',NULL,'t3','','Roll out part 3','It is ready','','[]',NULL,NULL,NULL,NULL,'{}',1778155200000000,1778155200000000);
INSERT INTO "decisions" VALUES('default','019e0286-0c80-7002-8514-51a6f9444f1a','alex','','',NULL,'t4','','Roll out part 4','It is ready','','[]',NULL,NULL,NULL,NULL,'{}',1778158800000000,1778158800000000);
INSERT INTO "decisions" VALUES('default','019e02bc-fb00-7002-96ae-2588dbbfde26','alex','','',NULL,'t5','','Roll out part 5','It is ready','','[]',NULL,NULL,NULL,NULL,'{}',1778162400000000,1778162400000000);
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
CREATE TABLE emberkeep_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT emberkeep_version_pkc PRIMARY KEY (version_num));
INSERT INTO "emberkeep_version" VALUES('0004');
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
INSERT INTO "entries" VALUES('default','agent','','','voxa','{"status": "idle", "state": {"seen": [1, 2]}}',1778166000000000);
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
INSERT INTO "goals" VALUES('default','g2','alex','','',NULL,'Write it up','succeeded',0,'',1778166000000000,NULL,'{}',1778166000000000,1778166000000000);
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
INSERT INTO "history" VALUES('default','019de7ea-8680-7003-9930-263938b370a1',18,'alex',1777885200000000,'superseded',NULL,75.0);
INSERT INTO "history" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6',27,'alex',1778058000000000,'reheated',NULL,76.61);
INSERT INTO "history" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c',30,'alex',1778058000000000,'reheated',NULL,76.61);
INSERT INTO "history" VALUES('default','019dfc83-f680-7004-82f2-fd727628d266',0,'sam',1778058000000000,'added',NULL,NULL);
INSERT INTO "history" VALUES('default','019dfc83-f680-7004-82f2-fd727628d266',5,'sam',1778058000000000,'deleted',NULL,NULL);
INSERT INTO "history" VALUES('default','019dfc83-f680-7006-bdc0-a2262a7c3e15',33,'alex',1778144400000000,'updated','019e01aa-5280-7000-9fcc-d096cf05ae2e',75.0);
INSERT INTO "history" VALUES('default','019dfc83-f680-7006-bdc0-a2262a7c3e15',37,'alex',1778144400000000,'reheated',NULL,80.0);
INSERT INTO "history" VALUES('default','019e01aa-5280-7004-9ef6-93407c8d99f4',46,'alex',1778148000000000,'updated','019e01e1-4100-7000-93ca-73f30da5b7f3',75.0);
INSERT INTO "history" VALUES('default','019e01e1-4100-7001-92de-02dda2774c17',57,'alex',1778151600000000,'updated','019e0218-2f80-7000-a751-68bdfdc6a6cd',75.0);
INSERT INTO "history" VALUES('default','019e0218-2f80-7001-9240-594204b79231',68,'alex',1778155200000000,'updated','019e024f-1e00-7000-b9c5-be7a4347c1e8',75.0);
INSERT INTO "history" VALUES('default','019e024f-1e00-7001-9234-09c0a1980633',79,'alex',1778158800000000,'updated','019e0286-0c80-7000-b4e9-76ce9b52e6a7',75.0);
INSERT INTO "history" VALUES('default','019e0286-0c80-7001-be28-8821b2407a05',90,'alex',1778162400000000,'updated','019e02bc-fb00-7000-8668-446bb4cd8dd5',75.0);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4',18,'alex',1777885200000000,'superseded',NULL,75.0);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-7010-a50b-dd548c8b7684',27,'alex',1778058000000000,'reheated',NULL,76.61);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45',30,'alex',1778058000000000,'reheated',NULL,76.61);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-701b-9156-a604567c97fe',0,'sam',1778058000000000,'added',NULL,NULL);
INSERT INTO "history" VALUES('acme','01a60ee3-a980-701b-9156-a604567c97fe',5,'sam',1778058000000000,'deleted',NULL,NULL);
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
	PRIMARY KEY (tenant, id)
);
INSERT INTO "interactions" VALUES('default','019de7ea-8680-7000-b8b4-e652e44da7f2','alex','voxa','s-0',1777712400000000,1777712400000000,'[{"role": "user", "content": "I moved to Lisbon.", "name": "Alex", "id": "m0"}, {"role": "assistant", "content": "Noted, on day 0."}]','[]','{"channel": "voice", "day": 0, "weight": 1.5}',NULL,1,NULL,0,1777713000000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('default','019ded10-e280-7000-8f04-bd93f50ae695','alex','voxa','s-1',1777798800000000,1777798800000000,'[{"role": "user", "content": "My sister is called Mia.", "name": "Alex", "id": "m1"}, {"role": "assistant", "content": "Noted, on day 1."}]','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',NULL,1,NULL,0,1777799400000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('default','019df237-3e80-7000-b7f0-1210c3707a90','alex','voxa','s-0',1777885200000000,1777885200000000,'[{"role": "user", "content": "I moved to Porto.", "name": "Alex", "id": "m2"}, {"role": "assistant", "content": "Noted, on day 2."}]','[]','{"channel": "voice", "day": 2, "weight": 1.5}',NULL,1,NULL,0,1777885800000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('default','019df75d-9a80-7000-a818-0a6bd4f43a2a','alex','voxa','s-1',1777971600000000,1777971600000000,'[{"role": "user", "content": "I love plums.", "name": "Alex", "id": "m3"}, {"role": "assistant", "content": "Noted, on day 3."}]','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',NULL,1,NULL,0,1777972200000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('default','019dfc83-f680-7000-969e-d6f181bd1a45','alex','voxa','s-0',1778058000000000,1778058000000000,'[{"role": "user", "content": "I moved to Porto.", "name": "Alex", "id": "m4"}, {"role": "assistant", "content": "Noted, on day 4."}]','[]','{"channel": "voice", "day": 4, "weight": 1.5}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('default','019dfc83-f680-7002-87af-c6053558cef0','sam','','',1778058000000000,1778058000000000,'[{"role": "user", "content": "\u0141ukasz lives in \u6771\u4eac \ud83c\udf88."}]','[]','{}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('default','019dfc83-f680-7005-8d9a-46473a6ad6b4','alex','','s-9',1778058000000000,1778058000000000,'[{"role": "user", "content": "Turn the light on"}, {"role": "assistant", "content": "Done."}]','[]','{}','{"llm_messages": [], "tool_calls": [{"name": "light"}], "skill_used": null, "latency_ms": {}}',1,NULL,0,1812726600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('default','01a60ee3-a980-7000-b952-9d3f5870f930','alex','','',1812726000000000,1812726000000000,'[{"role": "user", "content": "What a long time that was."}]','[]','{}',NULL,1,NULL,0,1812726600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('default','01a60ee3-a980-7004-8e37-06f1de5e663f','alex','','',1812726000000000,1812726000000000,'[{"role": "user", "content": "This waits to be learned from, at default."}]','[]','{}',NULL,0,'waiting',0,0,NULL,NULL,NULL);
INSERT INTO "interactions" VALUES('default','01a60ee3-a980-7005-bbf1-ffb25b11f185','sam','','',1812726000000000,1812726000000000,'[{"role": "user", "content": "This has no vector yet, at default."}]','[]','{}',NULL,1,NULL,0,1812726600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7007-92f2-79f17fd7dc33','alex','voxa','s-0',1777712400000000,1777712400000000,'[{"role": "user", "content": "I moved to Lisbon.", "name": "Alex", "id": "m0"}, {"role": "assistant", "content": "Noted, on day 0."}]','[]','{"channel": "voice", "day": 0, "weight": 1.5}',NULL,1,NULL,0,1777713000000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-700b-a255-01e21e1e2323','alex','voxa','s-1',1777798800000000,1777798800000000,'[{"role": "user", "content": "My sister is called Mia.", "name": "Alex", "id": "m1"}, {"role": "assistant", "content": "Noted, on day 1."}]','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',NULL,1,NULL,0,1777799400000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-700f-95d5-fc0424d68556','alex','voxa','s-0',1777885200000000,1777885200000000,'[{"role": "user", "content": "I moved to Porto.", "name": "Alex", "id": "m2"}, {"role": "assistant", "content": "Noted, on day 2."}]','[]','{"channel": "voice", "day": 2, "weight": 1.5}',NULL,1,NULL,0,1777885800000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7013-b79b-a8d182282df2','alex','voxa','s-1',1777971600000000,1777971600000000,'[{"role": "user", "content": "I love plums.", "name": "Alex", "id": "m3"}, {"role": "assistant", "content": "Noted, on day 3."}]','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',NULL,1,NULL,0,1777972200000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7017-92cc-31dbebbaef38','alex','voxa','s-0',1778058000000000,1778058000000000,'[{"role": "user", "content": "I moved to Porto.", "name": "Alex", "id": "m4"}, {"role": "assistant", "content": "Noted, on day 4."}]','[]','{"channel": "voice", "day": 4, "weight": 1.5}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7019-8602-051cdd541ef8','sam','','',1778058000000000,1778058000000000,'[{"role": "user", "content": "\u0141ukasz lives in \u6771\u4eac \ud83c\udf88."}]','[]','{}',NULL,1,NULL,0,1778058600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-701c-8938-803029e6a483','alex','','s-9',1778058000000000,1778058000000000,'[{"role": "user", "content": "Turn the light on"}, {"role": "assistant", "content": "Done."}]','[]','{}','{"llm_messages": [], "tool_calls": [{"name": "light"}], "skill_used": null, "latency_ms": {}}',1,NULL,0,1812618600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-701d-90e9-89795adae43e','alex','','',1812618000000000,1812618000000000,'[{"role": "user", "content": "What a long time that was."}]','[]','{}',NULL,1,NULL,0,1812618600000000,NULL,NULL,'rules-1');
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7021-9d44-9a6730d04bfd','alex','','',1812618000000000,1812618000000000,'[{"role": "user", "content": "This waits to be learned from, at acme."}]','[]','{}',NULL,0,'waiting',0,0,NULL,NULL,NULL);
INSERT INTO "interactions" VALUES('acme','01a60ee3-a980-7022-aa2d-f958569d5cfb','sam','','',1812618000000000,1812618000000000,'[{"role": "user", "content": "This has no vector yet, at acme."}]','[]','{}',NULL,1,NULL,0,1812618600000000,NULL,NULL,'rules-1');
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
	PRIMARY KEY (tenant, id)
);
INSERT INTO "items" VALUES('default','019de7ea-8680-7001-ab90-2f8911e81818','alex','voxa','s-0','episode','I moved to Lisbon.','Alex',NULL,X'2A7E9B7CADF1C4C291F154004E77B0B240DDD3EA7EB7ACC55A90E24E9F13E688',X'7FEDE31D86180708010086F47B29A8480773010087E0E65D3AF6CC760100','[]','{"channel": "voice", "day": 0, "weight": 1.5}',1777712400000000,1777712400000000,1777712400000000,NULL,NULL,NULL,75.0,1777712400000000,0,NULL,0,19,0,0,1777885200000000,16,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019de7ea-8680-7002-b8c9-9d5d5d983195','alex','voxa','s-0','episode','Noted, on day 0.',NULL,NULL,X'D1E22D109CD2799FED3841217AE34B7FD7A8869E077DEFABBF18FB2A076F693A',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100842B7D9D43CDDF750100','[]','{"channel": "voice", "day": 0, "weight": 1.5}',1777712400000000,1777712400000000,1777712400000000,NULL,NULL,NULL,75.0,1777712400000000,0,NULL,0,2,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019de7ea-8680-7003-9930-263938b370a1','alex','voxa','','fact','Alex moved to Lisbon',NULL,'lives in lisbon, home, where to find them',X'4393C0A76817A70798B0DBB47C2FD36CCBA6E3300191415B973B08706466951E',X'7FEDE31D86180708010086F47B29A8480773010087E0E65D3AF6CC7602008741A276BDD1D2200100A76316F670584A9301006332E5D2FAB588150100','["event"]','{"channel": "voice", "day": 0, "weight": 1.5, "learner": "rules-1"}',1777712400000000,1777712400000000,1777712400000000,1777885200000000,'019df237-3e80-7003-af6e-0d935520dd4c',NULL,75.0,1777712400000000,0,NULL,0,18,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019ded10-e280-7001-8b96-c4dbadbe1722','alex','voxa','s-1','episode','My sister is called Mia.','Alex',NULL,X'0D48BB01779F067E602C4397F065C75537CB3BE4B69975AA60E20FFE3963276F',X'7FEDE31D8618070801005A4676E5CF96E20D0100DA2AD283AD3E175F01007E5B76F99083D2DA0100','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,7,0,0,NULL,16,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019ded10-e280-7002-96d5-234a42b24c6b','alex','voxa','s-1','episode','Noted, on day 1.',NULL,NULL,X'AE5974258CF2E7FDB49AB3384691EAA050ADFC660EA56543DCDB317E2CD55BEB',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100F6FC42039FBA37760100','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,8,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830','alex','voxa','','fact','Alex''s sister is called Mia',NULL,'is called mia',X'F615D67E41296964D9DBBE28D50F41295EA7B64321BAFB52CA549C0F1F7D7976',X'7FEDE31D8618070801005A4676E5CF96E20D0100DA2AD283AD3E175F02007E5B76F99083D2DA0200','["home"]','{"channel": "voice", "day": 1, "weight": 1.5, "learner": "rules-1"}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,11,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6','alex','voxa','s-0','episode','I moved to Porto.','Alex',NULL,X'7662DA8B57C6981EDCC7BBE2D23B69F4662B8EAFD253BACC9D0EF0FBE23A6535',X'7FEDE31D86180708010086F47B29A8480773010036422F585F807A2F0100','[]','{"channel": "voice", "day": 4, "weight": 1.5}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,76.61,1778058000000000,1,1778058000000000,0,13,0,0,NULL,16,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177','alex','voxa','s-0','episode','Noted, on day 2.',NULL,NULL,X'4E628F17746427FFA3BEC357F214C5D73DDD13216CD10987749A15FF933533AA',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA201001BF41EF6FD6F6F6C0100','[]','{"channel": "voice", "day": 2, "weight": 1.5}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,75.0,1777885200000000,0,NULL,0,14,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','alex','voxa','','fact','Alex moved to Porto',NULL,'lives in porto, home, where to find them',X'DDE9FC5D13B7C69E280D8A83D4590ADEEA2460BEAD477AAC6CBDD3D5074B0EB4',X'7FEDE31D86180708010086F47B29A8480773010036422F585F807A2F02008741A276BDD1D2200100A76316F670584A9301006332E5D2FAB588150100','["event"]','{"channel": "voice", "day": 4, "weight": 1.5, "learner": "rules-1"}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,76.61,1778058000000000,1,1778058000000000,0,17,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019df75d-9a80-7001-977c-090af4e146f6','alex','voxa','s-1','episode','I love plums.','Alex',NULL,X'032858A40A2E42C7CF66CBFD2F5EFD979111820150B762E35C6DCE1EAF391B59',X'7FEDE31D86180708010036CD4B265771C6360100319C895E61E422E60100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,21,0,0,NULL,16,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019df75d-9a80-7002-9031-10ab86efde13','alex','voxa','s-1','episode','Noted, on day 3.',NULL,NULL,X'54F80A8324B6CD27E5216CCCA3B60FBA2A1BA42A02D8BAA73CC16A6DB13B4532',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA201009E251905A6D98E010100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,22,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc','alex','voxa','','preference','Alex loves plums',NULL,NULL,X'36FF76EEC1F01631D09E61E8D93C0C7116C6324FCC3ACADAF35924F87EB86C83',X'7FEDE31D86180708010036CD4B265771C6360100319C895E61E422E60100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5, "learner": "rules-1"}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,25,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019dfc83-f680-7001-b6fb-94b3cb6d424f','alex','voxa','s-0','episode','Noted, on day 4.',NULL,NULL,X'A589F2D6012B1BE70F8B19FB091E5F1036487354888CAA877E9A08B6EA2013C6',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100711D7B067F3018B60100','[]','{"channel": "voice", "day": 4, "weight": 1.5}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,28,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019dfc83-f680-7003-80a3-170ffb76dc37','sam','','','episode','Łukasz lives in 東京 🎈.',NULL,NULL,X'28BF9F2859A4EB68067D9C5C23C10843657B3133F26A8989A1D49934654E1516',X'6B7B4DEB4D3FD31901008741A276BDD1D2200100EE1155CAD1682BF00100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,1,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019dfc83-f680-7006-bdc0-a2262a7c3e15','alex','','','preference','Prefers an aisle seat',NULL,NULL,X'2ECDC44C656353DEC42F7A6B0C7C18D637E39EAB3CB31C4263314C262EE71D57',X'2A6AE498B8BE2A050100EF91CE7F529A51900100696D9DF6016D5E8E0100','[]','{}',1778058000000000,1778058000000000,1778144400000000,NULL,NULL,NULL,80.0,1778144400000000,1,1778144400000000,1,33,0,1,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7000-9fcc-d096cf05ae2e','alex','','','preference','Prefers a window seat',NULL,NULL,X'5A652EB17E2E5B1319EAABE1346EB8AA3621813F820781C450F2E9BA81C9A8FC',X'2A6AE498B8BE2A050100D64A4EFF039F0FCD0100696D9DF6016D5E8E0100','[]','{}',1778058000000000,1778058000000000,1778058000000000,1778144400000000,'019dfc83-f680-7006-bdc0-a2262a7c3e15','019dfc83-f680-7006-bdc0-a2262a7c3e15',75.0,1778058000000000,0,NULL,1,34,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7001-a57a-d20d5d9ae674','','','','fact','The office is closed on Mondays',NULL,NULL,X'C922A9B633AC2B4E49A75E099E4D899E8196FA80C109FB6FE57AA718773D5711',X'61085F29D40E161D01003654ADA0606CDAB80100E05CCF1B998B27020100','["office"]','{}',1778144400000000,1778144400000000,1778144400000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,1,0,1,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7002-ac68-811a5c14457b','sam','','','fact','Sam plays the cello',NULL,NULL,X'06DA864E642D8B7AFE1AFEB1DC5113A8A78FB830B57AFAB143859696FA0F7B36',X'EA13FAB17FA1166101003A1EFC0904D52C7101002CDEB78E1E416F0C0100','[]','{}',1778144400000000,1778144400000000,1778144400000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,6,0,1,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7003-9d98-750da08c351a','sam','','','fact','Sam bought a boat',NULL,NULL,X'079C8E0608EA75C20C5DF6AF5EAEC5876F8AA328BD54B5DE3DE1191B6DE8599C',X'EA13FAB17FA11661010060C172116412BA7D0100557A82A0CA54DE4B0100','[]','{}',1775088000000000,1778144400000000,1775088000000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,8,0,1,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7004-9ef6-93407c8d99f4','alex','','','execution','Deploy part 0: Part 0 went out',NULL,NULL,X'AE21C058A277D91F93F67AD844C08B73C6C3FA1555C534B12B343A656D0E83B8',X'B2531F535EB3E60601007C918B9F1008F8E40200842B7D9D43CDDF750200E0586FEEDA77CDDA0100','[]','{"task_id": "t0", "status": "succeeded"}',1778144400000000,1778144400000000,1778148000000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,46,0,1,NULL,4,NULL,NULL,'task:t0',NULL);
INSERT INTO "items" VALUES('default','019e01aa-5280-7006-9e89-fc155ae2e424','alex','','','decision','Roll out part 0 because It is ready',NULL,NULL,X'422F0B12F0042DE3917F18ACB1A224E54C9B1895B0C231B95C873D04AFB1635B',X'BEA39AE61E54F4E001007C918B9F1008F8E40100842B7D9D43CDDF7501009D7404E5AA6248690100','[]','{"decision_id": "019e01aa-5280-7005-ab96-721fc3ce871d", "who": ""}',1778144400000000,1778144400000000,1778144400000000,NULL,NULL,NULL,75.0,1778144400000000,0,NULL,0,43,0,1,NULL,4,NULL,NULL,'decision:019e01aa-5280-7005-ab96-721fc3ce871d',NULL);
INSERT INTO "items" VALUES('default','019e01e1-4100-7000-93ca-73f30da5b7f3','alex','','','execution','Deploy part 0',NULL,NULL,X'B270916C6C666DD99B2AC2BBE18FE12077243F41EFAFCBB3B9DC57AC2AB48743',X'B2531F535EB3E60601007C918B9F1008F8E40100842B7D9D43CDDF750100','[]','{"task_id": "t0", "status": "running"}',1778144400000000,1778144400000000,1778144400000000,1778148000000000,'019e01aa-5280-7004-9ef6-93407c8d99f4','019e01aa-5280-7004-9ef6-93407c8d99f4',75.0,1778144400000000,0,NULL,0,47,0,0,NULL,4,NULL,NULL,'task:t0',NULL);
INSERT INTO "items" VALUES('default','019e01e1-4100-7001-92de-02dda2774c17','alex','','','execution','Deploy part 1: Part 1 went out',NULL,NULL,X'C2973F46782C44D4049BB54234A069CC366A8D8E12F18D02EB6AFBEF63010AC7',X'B2531F535EB3E60601007C918B9F1008F8E40200F6FC42039FBA37760200E0586FEEDA77CDDA0100','[]','{"task_id": "t1", "status": "succeeded"}',1778148000000000,1778148000000000,1778151600000000,NULL,NULL,NULL,75.0,1778148000000000,0,NULL,0,57,0,1,NULL,4,NULL,NULL,'task:t1',NULL);
INSERT INTO "items" VALUES('default','019e01e1-4100-7003-82ec-6454bddbeda2','alex','','','decision','Roll out part 1 because It is ready',NULL,NULL,X'2D4578DCC0CFF9A624BD46AE86A30CB86C145F5BE784222E66E367BF4F3674A4',X'BEA39AE61E54F4E001007C918B9F1008F8E40100F6FC42039FBA377601009D7404E5AA6248690100','[]','{"decision_id": "019e01e1-4100-7002-9709-e05dd4a183e8", "who": ""}',1778148000000000,1778148000000000,1778148000000000,NULL,NULL,NULL,75.0,1778148000000000,0,NULL,0,54,0,1,NULL,4,NULL,NULL,'decision:019e01e1-4100-7002-9709-e05dd4a183e8',NULL);
INSERT INTO "items" VALUES('default','019e0218-2f80-7000-a751-68bdfdc6a6cd','alex','','','execution','Deploy part 1',NULL,NULL,X'4138E0FC864F023E4278C4C2E15025D5804C0ACFDDF6A82A049528BE12F0D69A',X'B2531F535EB3E60601007C918B9F1008F8E40100F6FC42039FBA37760100','[]','{"task_id": "t1", "status": "running"}',1778148000000000,1778148000000000,1778148000000000,1778151600000000,'019e01e1-4100-7001-92de-02dda2774c17','019e01e1-4100-7001-92de-02dda2774c17',75.0,1778148000000000,0,NULL,0,58,0,0,NULL,4,NULL,NULL,'task:t1',NULL);
INSERT INTO "items" VALUES('default','019e0218-2f80-7001-9240-594204b79231','alex','','','execution','Deploy part 2: Part 2 went out',NULL,NULL,X'121017F2F0A36107890E2C8AB932BC8737109418D5F8AF9CCC59864EDBFBA8E5',X'B2531F535EB3E60601007C918B9F1008F8E402001BF41EF6FD6F6F6C0200E0586FEEDA77CDDA0100','[]','{"task_id": "t2", "status": "failed"}',1778151600000000,1778151600000000,1778155200000000,NULL,NULL,NULL,75.0,1778151600000000,0,NULL,0,68,0,1,NULL,4,NULL,NULL,'task:t2',NULL);
INSERT INTO "items" VALUES('default','019e0218-2f80-7003-8038-703889f8261a','alex','','','decision','Roll out part 2 because It is ready',NULL,NULL,X'3EA6E539B49E2843A671D42BEBA26FFDD03EE25F01A8F72E64E47250747CF34C',X'BEA39AE61E54F4E001007C918B9F1008F8E401001BF41EF6FD6F6F6C01009D7404E5AA6248690100','[]','{"decision_id": "019e0218-2f80-7002-8983-7d721f2afece", "who": ""}',1778151600000000,1778151600000000,1778151600000000,NULL,NULL,NULL,75.0,1778151600000000,0,NULL,0,65,0,1,NULL,4,NULL,NULL,'decision:019e0218-2f80-7002-8983-7d721f2afece',NULL);
INSERT INTO "items" VALUES('default','019e024f-1e00-7000-b9c5-be7a4347c1e8','alex','','','execution','Deploy part 2',NULL,NULL,X'1FEAEAB5C6F181F2B7BEE734BDFA974206B061388DE82C26B37D7BAC6043BACC',X'B2531F535EB3E60601007C918B9F1008F8E401001BF41EF6FD6F6F6C0100','[]','{"task_id": "t2", "status": "running"}',1778151600000000,1778151600000000,1778151600000000,1778155200000000,'019e0218-2f80-7001-9240-594204b79231','019e0218-2f80-7001-9240-594204b79231',75.0,1778151600000000,0,NULL,0,69,0,0,NULL,4,NULL,NULL,'task:t2',NULL);
INSERT INTO "items" VALUES('default','019e024f-1e00-7001-9234-09c0a1980633','alex','','','execution','Deploy part 3: Part 3 went out',NULL,NULL,X'F07F55EDD13304660191FA8E8255DF015238281D7C47AC86D861BCDEFB0C87F3',X'B2531F535EB3E60601007C918B9F1008F8E402009E251905A6D98E010200E0586FEEDA77CDDA0100','[]','{"task_id": "t3", "status": "succeeded"}',1778155200000000,1778155200000000,1778158800000000,NULL,NULL,NULL,75.0,1778155200000000,0,NULL,0,79,0,1,NULL,4,NULL,NULL,'task:t3',NULL);
INSERT INTO "items" VALUES('default','019e024f-1e00-7003-8e49-c166e65c4cbe','alex','','','decision','Roll out part 3 because It is ready',NULL,NULL,X'E088C83E38B9B0339DD040BFC9C8268E73A5319B58A2D7CC76F5FC86AB3AB182',X'BEA39AE61E54F4E001007C918B9F1008F8E401009E251905A6D98E0101009D7404E5AA6248690100','[]','{"decision_id": "019e024f-1e00-7002-9fc7-04ca458ec6a2", "who": ""}',1778155200000000,1778155200000000,1778155200000000,NULL,NULL,NULL,75.0,1778155200000000,0,NULL,0,76,0,1,NULL,4,NULL,NULL,'decision:019e024f-1e00-7002-9fc7-04ca458ec6a2',NULL);
INSERT INTO "items" VALUES('default','019e0286-0c80-7000-b4e9-76ce9b52e6a7','alex','','','execution','Deploy part 3',NULL,NULL,X'94AF0CB5459D569646BDD5200C5B1AF2D91894FEC0A38D48F28E487F5856C8B1',X'B2531F535EB3E60601007C918B9F1008F8E401009E251905A6D98E010100','[]','{"task_id": "t3", "status": "running"}',1778155200000000,1778155200000000,1778155200000000,1778158800000000,'019e024f-1e00-7001-9234-09c0a1980633','019e024f-1e00-7001-9234-09c0a1980633',75.0,1778155200000000,0,NULL,0,80,0,0,NULL,4,NULL,NULL,'task:t3',NULL);
INSERT INTO "items" VALUES('default','019e0286-0c80-7001-be28-8821b2407a05','alex','','','execution','Deploy part 4: Part 4 went out',NULL,NULL,X'3211BBE10705B8B357F2269DC375D20635C9E4AFA46BEED93FDE2BE1E5242CDB',X'B2531F535EB3E60601007C918B9F1008F8E40200711D7B067F3018B60200E0586FEEDA77CDDA0100','[]','{"task_id": "t4", "status": "failed"}',1778158800000000,1778158800000000,1778162400000000,NULL,NULL,NULL,75.0,1778158800000000,0,NULL,0,90,0,1,NULL,4,NULL,NULL,'task:t4',NULL);
INSERT INTO "items" VALUES('default','019e0286-0c80-7003-95e9-7ed30d5cb8df','alex','','','decision','Roll out part 4 because It is ready',NULL,NULL,X'6D9732D433D404F2817A21CDF543F607034C88E90EEC5272CEA3EED18CE5C900',X'BEA39AE61E54F4E001007C918B9F1008F8E40100711D7B067F3018B601009D7404E5AA6248690100','[]','{"decision_id": "019e0286-0c80-7002-8514-51a6f9444f1a", "who": ""}',1778158800000000,1778158800000000,1778158800000000,NULL,NULL,NULL,75.0,1778158800000000,0,NULL,0,87,0,1,NULL,4,NULL,NULL,'decision:019e0286-0c80-7002-8514-51a6f9444f1a',NULL);
INSERT INTO "items" VALUES('default','019e02bc-fb00-7000-8668-446bb4cd8dd5','alex','','','execution','Deploy part 4',NULL,NULL,X'6FCC9FDA94763B9C547DAF973A4B63039B887D6505643CF371F9DAEA376ACE37',X'B2531F535EB3E60601007C918B9F1008F8E40100711D7B067F3018B60100','[]','{"task_id": "t4", "status": "running"}',1778158800000000,1778158800000000,1778158800000000,1778162400000000,'019e0286-0c80-7001-be28-8821b2407a05','019e0286-0c80-7001-be28-8821b2407a05',75.0,1778158800000000,0,NULL,0,91,0,0,NULL,4,NULL,NULL,'task:t4',NULL);
INSERT INTO "items" VALUES('default','019e02bc-fb00-7001-9b4b-ae6b016dbfd3','alex','','','execution','Deploy part 5',NULL,NULL,X'B7E7FFAE3A30CA062B18514F13C57EAB77B7DBEC450FC1BFC7BD80FB40A739A7',X'B2531F535EB3E60601007C918B9F1008F8E401008B54089FEE8D99A00100','[]','{"task_id": "t5", "status": "running"}',1778162400000000,1778162400000000,1778162400000000,NULL,NULL,NULL,75.0,1778162400000000,0,NULL,0,95,0,1,NULL,4,NULL,NULL,'task:t5',NULL);
INSERT INTO "items" VALUES('default','019e02bc-fb00-7003-91b8-0101557daac6','alex','','','decision','Roll out part 5 because It is ready',NULL,NULL,X'2BABC7502351D4E1C435097897F559B1737DF596573DB4BDDDC0BF7C61746CFE',X'BEA39AE61E54F4E001007C918B9F1008F8E401008B54089FEE8D99A001009D7404E5AA6248690100','[]','{"decision_id": "019e02bc-fb00-7002-96ae-2588dbbfde26", "who": ""}',1778162400000000,1778162400000000,1778162400000000,NULL,NULL,NULL,75.0,1778162400000000,0,NULL,0,98,0,1,NULL,4,NULL,NULL,'decision:019e02bc-fb00-7002-96ae-2588dbbfde26',NULL);
INSERT INTO "items" VALUES('default','019e02f3-e980-7000-b214-c6c82b0ec8c6','alex','','','preference','theme: {"name": "dark"}',NULL,NULL,X'B8C6DB4D6330462502FD00521E4B5B59148E916B4CFE643F2B15B8FAEE769CB0',X'6B26E3FF06ECE7DA010057C093842A936EDA01000D95DC1B52AC1F1C0100','[]','{"key": "theme"}',1778166000000000,1778166000000000,1778166000000000,NULL,NULL,NULL,75.0,1778166000000000,0,NULL,0,102,0,1,NULL,0,NULL,NULL,'preference:theme',NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7001-807f-cd8fc2352207','alex','','','episode','What a long time that was.',NULL,NULL,X'FBCCA6EC7F0A2955D42C8BFC6EA283EF53A498D225323ED94E2A6F2D83F9FA91',X'1097CDD7F46584F901005708A78087D188600100','[]','{}',1812726000000000,1812726000000000,1812726000000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,104,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7002-bf03-1d83a3160c33','alex','','s-9','episode','Turn the light on',NULL,NULL,X'8C2F562DE7F63615973A93130535AB68AC889046E38F0D989C55E3DB956047E5',X'73880C5C1BEEFACE01004CAA9E218C39031F0100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,106,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7003-add1-56b1b4a1f546','alex','','s-9','episode','Done.',NULL,NULL,X'FA0659395DCA8A0624ADFB283872E27342543D0364A1318B5D33CAE1D70C33B1',X'C617B10964B54AC00100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,107,0,0,NULL,8,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('default','01a60ee3-a980-7006-a34b-3c8f62968be4','sam','','','episode','This has no vector yet, at default.',NULL,NULL,X'50F9E7C3FF7075818F65917871505080E525EC4B91661FA714127023078AC750',X'2637DB5C9C4E15E501009552107D397822C30100FE98B07B1BA6B3A20100','[]','{}',1812726000000000,1812726000000000,1812726000000000,NULL,NULL,NULL,75.0,1812726000000000,0,NULL,0,10,1,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7008-b3a6-2e71540de450','alex','voxa','s-0','episode','I moved to Lisbon.','Alex',NULL,X'2A7E9B7CADF1C4C291F154004E77B0B240DDD3EA7EB7ACC55A90E24E9F13E688',X'7FEDE31D86180708010086F47B29A8480773010087E0E65D3AF6CC760100','[]','{"channel": "voice", "day": 0, "weight": 1.5}',1777712400000000,1777712400000000,1777712400000000,NULL,NULL,NULL,75.0,1777712400000000,0,NULL,0,19,0,0,1777885200000000,16,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7009-8561-9212fbd7d0ab','alex','voxa','s-0','episode','Noted, on day 0.',NULL,NULL,X'D1E22D109CD2799FED3841217AE34B7FD7A8869E077DEFABBF18FB2A076F693A',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100842B7D9D43CDDF750100','[]','{"channel": "voice", "day": 0, "weight": 1.5}',1777712400000000,1777712400000000,1777712400000000,NULL,NULL,NULL,75.0,1777712400000000,0,NULL,0,2,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4','alex','voxa','','fact','Alex moved to Lisbon',NULL,'lives in lisbon, home, where to find them',X'4393C0A76817A70798B0DBB47C2FD36CCBA6E3300191415B973B08706466951E',X'7FEDE31D86180708010086F47B29A8480773010087E0E65D3AF6CC7602008741A276BDD1D2200100A76316F670584A9301006332E5D2FAB588150100','["event"]','{"channel": "voice", "day": 0, "weight": 1.5, "learner": "rules-1"}',1777712400000000,1777712400000000,1777712400000000,1777885200000000,'01a60ee3-a980-7012-a705-fc435c949c45',NULL,75.0,1777712400000000,0,NULL,0,18,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-700c-8629-f46504f68ae2','alex','voxa','s-1','episode','My sister is called Mia.','Alex',NULL,X'0D48BB01779F067E602C4397F065C75537CB3BE4B69975AA60E20FFE3963276F',X'7FEDE31D8618070801005A4676E5CF96E20D0100DA2AD283AD3E175F01007E5B76F99083D2DA0100','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,7,0,0,NULL,16,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-700d-9a1f-bd7ca5f1ac29','alex','voxa','s-1','episode','Noted, on day 1.',NULL,NULL,X'AE5974258CF2E7FDB49AB3384691EAA050ADFC660EA56543DCDB317E2CD55BEB',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100F6FC42039FBA37760100','["home"]','{"channel": "voice", "day": 1, "weight": 1.5}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,8,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b','alex','voxa','','fact','Alex''s sister is called Mia',NULL,'is called mia',X'F615D67E41296964D9DBBE28D50F41295EA7B64321BAFB52CA549C0F1F7D7976',X'7FEDE31D8618070801005A4676E5CF96E20D0100DA2AD283AD3E175F02007E5B76F99083D2DA0200','["home"]','{"channel": "voice", "day": 1, "weight": 1.5, "learner": "rules-1"}',1777798800000000,1777798800000000,1777798800000000,NULL,NULL,NULL,75.0,1777798800000000,0,NULL,0,11,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7010-a50b-dd548c8b7684','alex','voxa','s-0','episode','I moved to Porto.','Alex',NULL,X'7662DA8B57C6981EDCC7BBE2D23B69F4662B8EAFD253BACC9D0EF0FBE23A6535',X'7FEDE31D86180708010086F47B29A8480773010036422F585F807A2F0100','[]','{"channel": "voice", "day": 4, "weight": 1.5}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,76.61,1778058000000000,1,1778058000000000,0,13,0,0,NULL,16,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7011-90af-b99f61e1a24b','alex','voxa','s-0','episode','Noted, on day 2.',NULL,NULL,X'4E628F17746427FFA3BEC357F214C5D73DDD13216CD10987749A15FF933533AA',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA201001BF41EF6FD6F6F6C0100','[]','{"channel": "voice", "day": 2, "weight": 1.5}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,75.0,1777885200000000,0,NULL,0,14,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','alex','voxa','','fact','Alex moved to Porto',NULL,'lives in porto, home, where to find them',X'DDE9FC5D13B7C69E280D8A83D4590ADEEA2460BEAD477AAC6CBDD3D5074B0EB4',X'7FEDE31D86180708010086F47B29A8480773010036422F585F807A2F02008741A276BDD1D2200100A76316F670584A9301006332E5D2FAB588150100','["event"]','{"channel": "voice", "day": 4, "weight": 1.5, "learner": "rules-1"}',1777885200000000,1777885200000000,1777885200000000,NULL,NULL,NULL,76.61,1778058000000000,1,1778058000000000,0,17,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7014-8c82-12921de59e7e','alex','voxa','s-1','episode','I love plums.','Alex',NULL,X'032858A40A2E42C7CF66CBFD2F5EFD979111820150B762E35C6DCE1EAF391B59',X'7FEDE31D86180708010036CD4B265771C6360100319C895E61E422E60100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,21,0,0,NULL,16,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7015-8e8e-4eb37773b953','alex','voxa','s-1','episode','Noted, on day 3.',NULL,NULL,X'54F80A8324B6CD27E5216CCCA3B60FBA2A1BA42A02D8BAA73CC16A6DB13B4532',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA201009E251905A6D98E010100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,22,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16','alex','voxa','','preference','Alex loves plums',NULL,NULL,X'36FF76EEC1F01631D09E61E8D93C0C7116C6324FCC3ACADAF35924F87EB86C83',X'7FEDE31D86180708010036CD4B265771C6360100319C895E61E422E60100','["home"]','{"channel": "voice", "day": 3, "weight": 1.5, "learner": "rules-1"}',1777971600000000,1777971600000000,1777971600000000,NULL,NULL,NULL,75.0,1777971600000000,0,NULL,0,25,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7018-8ca6-d256a1d48afe','alex','voxa','s-0','episode','Noted, on day 4.',NULL,NULL,X'A589F2D6012B1BE70F8B19FB091E5F1036487354888CAA877E9A08B6EA2013C6',X'FF5D5F4BC7DBAE9F010024D40F22980B7DA20100711D7B067F3018B60100','[]','{"channel": "voice", "day": 4, "weight": 1.5}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,28,0,0,NULL,14,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-701a-acbb-de4fda96f0a0','sam','','','episode','Łukasz lives in 東京 🎈.',NULL,NULL,X'28BF9F2859A4EB68067D9C5C23C10843657B3133F26A8989A1D49934654E1516',X'6B7B4DEB4D3FD31901008741A276BDD1D2200100EE1155CAD1682BF00100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,1,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-701e-a130-a36ea10011a8','alex','','','episode','What a long time that was.',NULL,NULL,X'FBCCA6EC7F0A2955D42C8BFC6EA283EF53A498D225323ED94E2A6F2D83F9FA91',X'1097CDD7F46584F901005708A78087D188600100','[]','{}',1812618000000000,1812618000000000,1812618000000000,NULL,NULL,NULL,75.0,1812618000000000,0,NULL,0,31,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-701f-a139-81fb9adac43a','alex','','s-9','episode','Turn the light on',NULL,NULL,X'8C2F562DE7F63615973A93130535AB68AC889046E38F0D989C55E3DB956047E5',X'73880C5C1BEEFACE01004CAA9E218C39031F0100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,33,0,0,NULL,0,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7020-977d-bb57cd0dd932','alex','','s-9','episode','Done.',NULL,NULL,X'FA0659395DCA8A0624ADFB283872E27342543D0364A1318B5D33CAE1D70C33B1',X'C617B10964B54AC00100','[]','{}',1778058000000000,1778058000000000,1778058000000000,NULL,NULL,NULL,75.0,1778058000000000,0,NULL,0,34,0,0,NULL,8,NULL,NULL,NULL,NULL);
INSERT INTO "items" VALUES('acme','01a60ee3-a980-7023-80ea-aabd3e213ee1','sam','','','episode','This has no vector yet, at acme.',NULL,NULL,X'9A6159B12A9D7C2EC3C20132A6A81C50DB6A7170918E8CC4A11B59C3559D6327',X'2637DB5C9C4E15E501009552107D397822C30100891D433266534E5A0100','[]','{}',1812618000000000,1812618000000000,1812618000000000,NULL,NULL,NULL,75.0,1812618000000000,0,NULL,0,6,1,0,NULL,0,NULL,NULL,NULL,NULL);
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
INSERT INTO "links" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830','019de7ea-8680-7003-9930-263938b370a1','entity','alex',0.5);
INSERT INTO "links" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019de7ea-8680-7003-9930-263938b370a1','supersedes','alex',1.0);
INSERT INTO "links" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019de7ea-8680-7003-9930-263938b370a1','similar','alex',0.7914);
INSERT INTO "links" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019ded10-e280-7003-87d5-8fa3c5501830','entity','alex',0.5);
INSERT INTO "links" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc','019df237-3e80-7003-af6e-0d935520dd4c','entity','alex',0.5);
INSERT INTO "links" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc','019ded10-e280-7003-87d5-8fa3c5501830','entity','alex',0.5);
INSERT INTO "links" VALUES('default','019e01aa-5280-7003-9d98-750da08c351a','019e01aa-5280-7002-ac68-811a5c14457b','entity','sam',0.5);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b','01a60ee3-a980-700a-aea1-53b7c4a9b9a4','entity','alex',0.5);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','01a60ee3-a980-700a-aea1-53b7c4a9b9a4','supersedes','alex',1.0);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','01a60ee3-a980-700a-aea1-53b7c4a9b9a4','similar','alex',0.7914);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','01a60ee3-a980-700e-9652-1c32751b4b5b','entity','alex',0.5);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16','01a60ee3-a980-7012-a705-fc435c949c45','entity','alex',0.5);
INSERT INTO "links" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16','01a60ee3-a980-700e-9652-1c32751b4b5b','entity','alex',0.5);
CREATE TABLE mentions (
	tenant VARCHAR(256) NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	entity VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	PRIMARY KEY (tenant, item_id, entity), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "mentions" VALUES('default','019de7ea-8680-7003-9930-263938b370a1','alex','alex');
INSERT INTO "mentions" VALUES('default','019de7ea-8680-7003-9930-263938b370a1','lisbon','alex');
INSERT INTO "mentions" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830','alex','alex');
INSERT INTO "mentions" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830','mia','alex');
INSERT INTO "mentions" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','alex','alex');
INSERT INTO "mentions" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','porto','alex');
INSERT INTO "mentions" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc','alex','alex');
INSERT INTO "mentions" VALUES('default','019dfc83-f680-7006-bdc0-a2262a7c3e15','prefers','alex');
INSERT INTO "mentions" VALUES('default','019e01aa-5280-7001-a57a-d20d5d9ae674','mondays','');
INSERT INTO "mentions" VALUES('default','019e01aa-5280-7002-ac68-811a5c14457b','sam','sam');
INSERT INTO "mentions" VALUES('default','019e01aa-5280-7003-9d98-750da08c351a','sam','sam');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4','alex','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4','lisbon','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b','alex','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b','mia','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','alex','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','porto','alex');
INSERT INTO "mentions" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16','alex','alex');
CREATE TABLE meta (
	"key" VARCHAR(256) NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('first space','taken');
INSERT INTO "meta" VALUES('space','256057609356405');
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
CREATE TABLE shelves (
	tenant VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	number BIGINT NOT NULL, 
	epoch BIGINT NOT NULL, 
	revision BIGINT NOT NULL, 
	PRIMARY KEY (tenant, user_id), 
	UNIQUE (number)
);
INSERT INTO "shelves" VALUES('default','alex',13592072266832,231168335884083,109);
INSERT INTO "shelves" VALUES('default','sam',171958327392230,138959874817400,10);
INSERT INTO "shelves" VALUES('default','',241843984150829,267462712442646,2);
INSERT INTO "shelves" VALUES('acme','alex',117270376037908,110437016444368,36);
INSERT INTO "shelves" VALUES('acme','sam',50985773150057,262401893537128,6);
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
INSERT INTO "sources" VALUES('default','019de7ea-8680-7001-ab90-2f8911e81818','019de7ea-8680-7000-b8b4-e652e44da7f2',0,'m0','user','Alex',1777712400000000,NULL);
INSERT INTO "sources" VALUES('default','019de7ea-8680-7002-b8c9-9d5d5d983195','019de7ea-8680-7000-b8b4-e652e44da7f2',1,'019de7ea-8680-7000-b8b4-e652e44da7f2:1','assistant',NULL,1777712400000000,NULL);
INSERT INTO "sources" VALUES('default','019de7ea-8680-7003-9930-263938b370a1','019de7ea-8680-7000-b8b4-e652e44da7f2',0,'m0','user','Alex',1777712400000000,'I moved to Lisbon.');
INSERT INTO "sources" VALUES('default','019ded10-e280-7001-8b96-c4dbadbe1722','019ded10-e280-7000-8f04-bd93f50ae695',0,'m1','user','Alex',1777798800000000,NULL);
INSERT INTO "sources" VALUES('default','019ded10-e280-7002-96d5-234a42b24c6b','019ded10-e280-7000-8f04-bd93f50ae695',1,'019ded10-e280-7000-8f04-bd93f50ae695:1','assistant',NULL,1777798800000000,NULL);
INSERT INTO "sources" VALUES('default','019ded10-e280-7003-87d5-8fa3c5501830','019ded10-e280-7000-8f04-bd93f50ae695',0,'m1','user','Alex',1777798800000000,'My sister is called Mia.');
INSERT INTO "sources" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6','019df237-3e80-7000-b7f0-1210c3707a90',0,'m2','user','Alex',1777885200000000,NULL);
INSERT INTO "sources" VALUES('default','019df237-3e80-7002-aff2-6b5010af3177','019df237-3e80-7000-b7f0-1210c3707a90',1,'019df237-3e80-7000-b7f0-1210c3707a90:1','assistant',NULL,1777885200000000,NULL);
INSERT INTO "sources" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019df237-3e80-7000-b7f0-1210c3707a90',0,'m2','user','Alex',1777885200000000,'I moved to Porto.');
INSERT INTO "sources" VALUES('default','019df75d-9a80-7001-977c-090af4e146f6','019df75d-9a80-7000-a818-0a6bd4f43a2a',0,'m3','user','Alex',1777971600000000,NULL);
INSERT INTO "sources" VALUES('default','019df75d-9a80-7002-9031-10ab86efde13','019df75d-9a80-7000-a818-0a6bd4f43a2a',1,'019df75d-9a80-7000-a818-0a6bd4f43a2a:1','assistant',NULL,1777971600000000,NULL);
INSERT INTO "sources" VALUES('default','019df75d-9a80-7003-9b03-7494dd1c01cc','019df75d-9a80-7000-a818-0a6bd4f43a2a',0,'m3','user','Alex',1777971600000000,'I love plums.');
INSERT INTO "sources" VALUES('default','019dfc83-f680-7001-b6fb-94b3cb6d424f','019dfc83-f680-7000-969e-d6f181bd1a45',1,'019dfc83-f680-7000-969e-d6f181bd1a45:1','assistant',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','019df237-3e80-7001-beb0-766d1877f8c6','019dfc83-f680-7000-969e-d6f181bd1a45',0,'m4','user','Alex',1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','019df237-3e80-7003-af6e-0d935520dd4c','019dfc83-f680-7000-969e-d6f181bd1a45',0,'m4','user','Alex',1778058000000000,'I moved to Porto.');
INSERT INTO "sources" VALUES('default','019dfc83-f680-7003-80a3-170ffb76dc37','019dfc83-f680-7002-87af-c6053558cef0',0,'019dfc83-f680-7002-87af-c6053558cef0:0','user',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','01a60ee3-a980-7001-807f-cd8fc2352207','01a60ee3-a980-7000-b952-9d3f5870f930',0,'01a60ee3-a980-7000-b952-9d3f5870f930:0','user',NULL,1812726000000000,NULL);
INSERT INTO "sources" VALUES('default','01a60ee3-a980-7002-bf03-1d83a3160c33','019dfc83-f680-7005-8d9a-46473a6ad6b4',0,'019dfc83-f680-7005-8d9a-46473a6ad6b4:0','user',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','01a60ee3-a980-7003-add1-56b1b4a1f546','019dfc83-f680-7005-8d9a-46473a6ad6b4',1,'019dfc83-f680-7005-8d9a-46473a6ad6b4:1','assistant',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('default','01a60ee3-a980-7006-a34b-3c8f62968be4','01a60ee3-a980-7005-bbf1-ffb25b11f185',0,'01a60ee3-a980-7005-bbf1-ffb25b11f185:0','user',NULL,1812726000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7008-b3a6-2e71540de450','01a60ee3-a980-7007-92f2-79f17fd7dc33',0,'m0','user','Alex',1777712400000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7009-8561-9212fbd7d0ab','01a60ee3-a980-7007-92f2-79f17fd7dc33',1,'01a60ee3-a980-7007-92f2-79f17fd7dc33:1','assistant',NULL,1777712400000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-700a-aea1-53b7c4a9b9a4','01a60ee3-a980-7007-92f2-79f17fd7dc33',0,'m0','user','Alex',1777712400000000,'I moved to Lisbon.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-700c-8629-f46504f68ae2','01a60ee3-a980-700b-a255-01e21e1e2323',0,'m1','user','Alex',1777798800000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-700d-9a1f-bd7ca5f1ac29','01a60ee3-a980-700b-a255-01e21e1e2323',1,'01a60ee3-a980-700b-a255-01e21e1e2323:1','assistant',NULL,1777798800000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-700e-9652-1c32751b4b5b','01a60ee3-a980-700b-a255-01e21e1e2323',0,'m1','user','Alex',1777798800000000,'My sister is called Mia.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7010-a50b-dd548c8b7684','01a60ee3-a980-700f-95d5-fc0424d68556',0,'m2','user','Alex',1777885200000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7011-90af-b99f61e1a24b','01a60ee3-a980-700f-95d5-fc0424d68556',1,'01a60ee3-a980-700f-95d5-fc0424d68556:1','assistant',NULL,1777885200000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','01a60ee3-a980-700f-95d5-fc0424d68556',0,'m2','user','Alex',1777885200000000,'I moved to Porto.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7014-8c82-12921de59e7e','01a60ee3-a980-7013-b79b-a8d182282df2',0,'m3','user','Alex',1777971600000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7015-8e8e-4eb37773b953','01a60ee3-a980-7013-b79b-a8d182282df2',1,'01a60ee3-a980-7013-b79b-a8d182282df2:1','assistant',NULL,1777971600000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7016-aea0-6aa29141ac16','01a60ee3-a980-7013-b79b-a8d182282df2',0,'m3','user','Alex',1777971600000000,'I love plums.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7018-8ca6-d256a1d48afe','01a60ee3-a980-7017-92cc-31dbebbaef38',1,'01a60ee3-a980-7017-92cc-31dbebbaef38:1','assistant',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7010-a50b-dd548c8b7684','01a60ee3-a980-7017-92cc-31dbebbaef38',0,'m4','user','Alex',1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7012-a705-fc435c949c45','01a60ee3-a980-7017-92cc-31dbebbaef38',0,'m4','user','Alex',1778058000000000,'I moved to Porto.');
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-701a-acbb-de4fda96f0a0','01a60ee3-a980-7019-8602-051cdd541ef8',0,'01a60ee3-a980-7019-8602-051cdd541ef8:0','user',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-701e-a130-a36ea10011a8','01a60ee3-a980-701d-90e9-89795adae43e',0,'01a60ee3-a980-701d-90e9-89795adae43e:0','user',NULL,1812618000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-701f-a139-81fb9adac43a','01a60ee3-a980-701c-8938-803029e6a483',0,'01a60ee3-a980-701c-8938-803029e6a483:0','user',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7020-977d-bb57cd0dd932','01a60ee3-a980-701c-8938-803029e6a483',1,'01a60ee3-a980-701c-8938-803029e6a483:1','assistant',NULL,1778058000000000,NULL);
INSERT INTO "sources" VALUES('acme','01a60ee3-a980-7023-80ea-aabd3e213ee1','01a60ee3-a980-7022-aa2d-f958569d5cfb',0,'01a60ee3-a980-7022-aa2d-f958569d5cfb:0','user',NULL,1812618000000000,NULL);
CREATE TABLE spaces (
	id BIGINT NOT NULL, 
	embedder TEXT NOT NULL, 
	dimension INTEGER NOT NULL, 
	created_at BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "spaces" VALUES(256057609356405,'words',16,1777712400000000);
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
INSERT INTO "tasks" VALUES('default','t0','alex','','','g1','Deploy part 0','succeeded','Part 0 went out',1778144400000000,1778148000000000,NULL,'{}',1778144400000000,1778148000000000);
INSERT INTO "tasks" VALUES('default','t1','alex','','','g1','Deploy part 1','succeeded','Part 1 went out',1778148000000000,1778151600000000,NULL,'{}',1778148000000000,1778151600000000);
INSERT INTO "tasks" VALUES('default','t2','alex','','','g1','Deploy part 2','failed','Part 2 went out',1778151600000000,1778155200000000,NULL,'{}',1778151600000000,1778155200000000);
INSERT INTO "tasks" VALUES('default','t3','alex','','','g1','Deploy part 3','succeeded','Part 3 went out',1778155200000000,1778158800000000,NULL,'{}',1778155200000000,1778158800000000);
INSERT INTO "tasks" VALUES('default','t4','alex','','','g1','Deploy part 4','failed','Part 4 went out',1778158800000000,1778162400000000,NULL,'{}',1778158800000000,1778162400000000);
INSERT INTO "tasks" VALUES('default','t5','alex','','','g1','Deploy part 5','running','',1778162400000000,NULL,NULL,'{}',1778162400000000,1778162400000000);
CREATE TABLE tombstones (
	tenant VARCHAR(256) NOT NULL, 
	user_id VARCHAR(256) NOT NULL, 
	revision BIGINT NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	PRIMARY KEY (tenant, user_id, revision)
);
INSERT INTO "tombstones" VALUES('default','sam',5,'019dfc83-f680-7004-82f2-fd727628d266');
INSERT INTO "tombstones" VALUES('acme','sam',5,'01a60ee3-a980-701b-9156-a604567c97fe');
CREATE TABLE vectors (
	tenant VARCHAR(256) NOT NULL, 
	space BIGINT NOT NULL, 
	item_id VARCHAR(256) NOT NULL, 
	shelf BIGINT NOT NULL, 
	revision BIGINT NOT NULL, 
	embedded_hash BLOB NOT NULL, 
	embedding BLOB NOT NULL, 
	PRIMARY KEY (tenant, space, item_id), 
	FOREIGN KEY(tenant, item_id) REFERENCES items (tenant, id) ON DELETE CASCADE
);
INSERT INTO "vectors" VALUES('default',256057609356405,'019de7ea-8680-7001-ab90-2f8911e81818',13592072266832,3,X'085EC46888E8B9BD07021D9BB003BB1DD59E6B8C0D7E613665ED74551FA34160',X'58B1933399AC0CB45D38F72E32B4372C0C31EF0C8636F3ACE830A5B366364131');
INSERT INTO "vectors" VALUES('default',256057609356405,'019de7ea-8680-7002-b8c9-9d5d5d983195',13592072266832,4,X'93AD96E242695A7771047D823E085D30213AE4202C69BF884FA7D34CDBEEC1E1',X'763296ADCB316E20AA30E63836B43B2D42B48DAE6BAAD034ED3715B125A94325');
INSERT INTO "vectors" VALUES('default',256057609356405,'019de7ea-8680-7003-9930-263938b370a1',13592072266832,6,X'24DAFD87E567066BEB0C3480CAAEE42E0E06B3830E263D4AE5FD1CD12FFAE0AD',X'FA2E2F30FCB018A470320229D1B4B4B34437B52FFF34F8B65437732F712BAEB0');
INSERT INTO "vectors" VALUES('default',256057609356405,'019ded10-e280-7001-8b96-c4dbadbe1722',13592072266832,9,X'8D1A237CA7D2A9F627A75F0423A5990BD56256A2C532F19E24336737E3A7718E',X'C2380F33CEA7B7B73A2FE33217B0B827C0B355B1C0B412B3EF2E212921AE8F32');
INSERT INTO "vectors" VALUES('default',256057609356405,'019ded10-e280-7002-96d5-234a42b24c6b',13592072266832,10,X'BA9DFDD285769B6D7173E6BA46DF2467F92464F35F03CDE55F5A1244C9CA35B4',X'7D270428DFAD3AAA692F7B3645B2B2340DB1A62EC8B2E13469397EB2B2ADB2AC');
INSERT INTO "vectors" VALUES('default',256057609356405,'019ded10-e280-7003-87d5-8fa3c5501830',13592072266832,12,X'BC9B9DC9E4BA4FA8267F0A72722846671715225C2053F08F3BD475B36319C3F0',X'08347832D4337CB766B053339FAC5DA541B8ADB2B1B638B041B06E2900AAF998');
INSERT INTO "vectors" VALUES('default',256057609356405,'019df237-3e80-7001-beb0-766d1877f8c6',13592072266832,15,X'0F0E6DBBBB4192CF4786C1C8067E477DE1FB035FC2239DADCB7B7F95DB69307F',X'97AC1E3487B0B5B5E3344235CFB43D359E2F9C2F33358A240D9ED1B25835D634');
INSERT INTO "vectors" VALUES('default',256057609356405,'019df237-3e80-7002-aff2-6b5010af3177',13592072266832,16,X'C28B3193ADB89B3EFCE24B778778F935BC566283C70E2A04D479A656862DD36C',X'583301309CA672ABD72C45382BB3EE2D25B26F36E6B08EA080384AB1722EEE29');
INSERT INTO "vectors" VALUES('default',256057609356405,'019df237-3e80-7003-af6e-0d935520dd4c',13592072266832,20,X'5572490356E46CFC19B0FB13B2E435540CBBFD3162CEC814A806F90163697EF3',X'EC32FC311FB4A3B121A9533536B6E72DFE366A342B3465B596341730D6247C29');
INSERT INTO "vectors" VALUES('default',256057609356405,'019df75d-9a80-7001-977c-090af4e146f6',13592072266832,23,X'6FAE9C8E227118D15FDEC88FC2E758D278F5226224E22B2C71011B5CA42D0A97',X'7630B9AC49B03CB0CFA7FD33CEB18734F5B347AAFD3070B3FBB0AAB7CD30B238');
INSERT INTO "vectors" VALUES('default',256057609356405,'019df75d-9a80-7002-9031-10ab86efde13',13592072266832,24,X'F41E0729B9BE1FB6D53411177047F9A3B4A441313449EC08F27AEAFB5A11C727',X'992EBDB17E26A62C9232CD38DAB31F35C6B5D72A2AACAA2DA5366FAD3C22ED33');
INSERT INTO "vectors" VALUES('default',256057609356405,'019df75d-9a80-7003-9b03-7494dd1c01cc',13592072266832,26,X'ED05E309163617DD9C95465B84BE26CD2CDBE4A06A862F0EB0BC200B8CE71F16',X'63319CAE30AC9DB705B74921DCAFC22EDBAE563075B23929C83006B59CA88138');
INSERT INTO "vectors" VALUES('default',256057609356405,'019dfc83-f680-7001-b6fb-94b3cb6d424f',13592072266832,29,X'299AB1813E750A3E08161EB1CEAA0BE0FE4B846D941F41791F6D1EBBA7E57FEF',X'482F8C296DB0F2256434F63807AC123125B23AB42624632EC638BDA91EA668A8');
INSERT INTO "vectors" VALUES('default',256057609356405,'019dfc83-f680-7003-80a3-170ffb76dc37',171958327392230,2,X'30710D392FC5FFEC7C9FA17E1CDD7FB4ABDED1116B9D614E4B67EDC3CC76C8E5',X'253043AFCC2C87A37D3054B536B1CDACB42A8036993366B7873558B7E0311F11');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01aa-5280-7000-9fcc-d096cf05ae2e',13592072266832,35,X'8B29884B64B50F580B7CC7CD023E4C7DC46E0DF9FEEF6DBB07683DA9736B8FA5',X'EEB4483398369AB050B75A346CB42232F92AA3348CB0F82B5CB159B210304F34');
INSERT INTO "vectors" VALUES('default',256057609356405,'019dfc83-f680-7006-bdc0-a2262a7c3e15',13592072266832,36,X'D28CD022544D2A0D26664A620D0FB709B00415BECF61BDF14E6639E8D47E0CD1',X'CA2EE63666312CAC9BAE0D3726B462145B223C34509E46387E2821B5CC964A32');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01aa-5280-7001-a57a-d20d5d9ae674',241843984150829,2,X'BBB03F20EE9AF71CE9330ADA00186EDD42BA1DCC35C147C4993A14F0218EC7DC',X'B238323310B097AC9535D636F831892CAEA83A3454B079B446AA1F317BB2112B');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01aa-5280-7002-ac68-811a5c14457b',171958327392230,7,X'606A466929C646AC304F7E8DEDA169FBAEA528955A5B122E55A7280D8E62BE65',X'B1B3E32CB134B1AAE9A8B326BEB42C3838272C252E370F2E4FB2CF3318B45035');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01aa-5280-7003-9d98-750da08c351a',171958327392230,9,X'8AAC79217E5F464802C8ED72139C7AEBEF2F1461E804F4CC1DE116001B43CBB8',X'BBB0DE9CD83512B281B5493725B75E33B530B11EED2B8133E8B4582E022C91B2');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01aa-5280-7006-9e89-fc155ae2e424',13592072266832,44,X'554229A89F0115EA655F085B2925B60A0C8DFF81094A62A001EF64A00DAA0B2A',X'65338BADB632CA28F89B973013B5202D43AE8A290933963793B145380E341DB5');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01e1-4100-7000-93ca-73f30da5b7f3',13592072266832,48,X'BE3A6428594FDBE964937EE35B163D67A930AAE0158F66E8A3740042BA3B8AA5',X'88300E1BB638E034D6B4E2AC0AB4A733B821B4AC89351D35D2B0763255A6A5B1');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01aa-5280-7004-9ef6-93407c8d99f4',13592072266832,49,X'113402C1F2CA7EF10ACFBFE88B3C353FC15068406796F751718497972562D84B',X'A43035318C365A3112B469AE00B38632C2207BB0D436643839B4FA2EACA873AD');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01e1-4100-7003-82ec-6454bddbeda2',13592072266832,55,X'F581F3D6F32041728B9F44D66A2A5354BAC8690D2ED0B0C8875738536AA5A442',X'FB30C3A6832C9E1DA9A1B12C0DB50A337CAB3B3130303B38A6A837388D334FB6');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e0218-2f80-7000-a751-68bdfdc6a6cd',13592072266832,59,X'312D51D07E1D88345414187AA0E772BDDF6BC5563A91A5027848BF77F07A28B8',X'1DA0AA2FB635383458B512B36FB3E837E72D2B30FA312D36972EA83068AD95B4');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e01e1-4100-7001-92de-02dda2774c17',13592072266832,60,X'74575549C9E5E46C3D15E7C67F0A8EFE0D12DF6F52BE339958671794EF041ABF',X'32245B346932F92F7AB43FB364B2C136112D1228B734F538A9AA192BAEAD9AB1');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e0218-2f80-7003-8038-703889f8261a',13592072266832,66,X'C95B6754CDC910D8B667C5C65FDF805A631F408F6D54681091A18BD6600D8210',X'6D344428D82E029825A8363149B5442E49AD8D350E3142358BAD3E388435FDB4');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e024f-1e00-7000-b9c5-be7a4347c1e8',13592072266832,70,X'066EE392F7F01105E3377768FCF0D55E7D0B60A5DF2144756051EA39E9239641',X'0A334733D4360134F9B5F4AA63B48434D1299137C133FD29DE20AE310430F4B0');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e0218-2f80-7001-9240-594204b79231',13592072266832,71,X'94B22B93BE2023877DD1313BC9C96FB8EA19B0BFDF5B881D5A12160FC8EB1AF3',X'683358368734DD2F74B5C1AD1AB42A346429B035F535AF359CB0C62D6B2E47AC');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e024f-1e00-7003-8e49-c166e65c4cbe',13592072266832,77,X'61D727CDB2F92488D6D4AB8F25B95CC1CEF8DD472299E06F5EE1E916AE6673B3',X'483219B15130212D502B4E3381B5E93362B21F3071321236C9B06F387B3457B1');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e0286-0c80-7000-b4e9-76ce9b52e6a7',13592072266832,81,X'B122E74D1AB757A8E2006E7A7F50621B54791FEAC32423BDE8C180A1E9CFA4F0',X'252DF4AF2E37FA3514B2C32CC2B4363859B1F32CF134E330D1AEAA334126C42D');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e024f-1e00-7001-9234-09c0a1980633',13592072266832,82,X'D0562DC7163FE6D95D8B42EC306336B4443F8D4E5CF664CBBD4B33A0EA7BE55A',X'462EB02AF934DC3364B14D286BB4C837FEB026A0BA36D636A7B3E7301B1FF930');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e0286-0c80-7003-95e9-7ed30d5cb8df',13592072266832,88,X'B324BBF6CD6856ECFB1A853C262FD61BECC44D852952F3B3043615183288E875',X'683284A5612A1E2A772C673163B31E305FACD1A94A345C368EAFFE386C34E3B5');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e02bc-fb00-7000-8668-446bb4cd8dd5',13592072266832,92,X'B8B7E6E2D91CEB3E300E3809794961D8D9C4C0F0911F57BE4BEA8BC9C761C392',X'0A2D8130A035F235ADB220ABCAADD6353C2D38B492376D31F8A9A035AAA23AB4');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e0286-0c80-7001-be28-8821b2407a05',13592072266832,93,X'86C72ECB3813A7A1A2631AE5FA9E3E14361CAFA673126CBDD20109D1F12A6D91',X'D32DC634C431793252B171ADD2ACD5345D2CEBB451382C3710B20D3324A7A3B0');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e02bc-fb00-7001-9b4b-ae6b016dbfd3',13592072266832,96,X'2E72DF4BE8D8AFC796C8D801E22CA110BD9F512631DE035A9140D131A9498647',X'3B2C83247538113562B51D316030583624298D2E9F33F430EC3015345FAAB0B4');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e02bc-fb00-7003-91b8-0101557daac6',13592072266832,99,X'D80CC627BCF24816E6A8C745BE7983B83BFF624CA18CB8835858963239875128',X'3B3217ADED32462BA0A89E3402AEFE3139ADC83078314F368D1BAD38C13377B6');
INSERT INTO "vectors" VALUES('default',256057609356405,'019e02f3-e980-7000-b214-c6c82b0ec8c6',13592072266832,103,X'27BBBE75241AB6B37E8633C60DE5214489166012CF0035116C554DEA65AAB569',X'8A3762B532AC72B78CB541AC89322AACC6A616B1E62399AA03B60AAD49341DB1');
INSERT INTO "vectors" VALUES('default',256057609356405,'01a60ee3-a980-7001-807f-cd8fc2352207',13592072266832,105,X'52D8EB2E15DCD858FFDB4AF26A5E5A300A56C5BD92294D5F7270806D7D968738',X'1DB522A62D33EA32F9AC231D5B32F7B3069F18B088388024AE2BEB316D38F3AE');
INSERT INTO "vectors" VALUES('default',256057609356405,'01a60ee3-a980-7002-bf03-1d83a3160c33',13592072266832,108,X'C2186EE8452F7850A8779B88DB75ABFC2AC50F01CE03831B42D481F909A5626B',X'8D3310B53AB4C7346A2FCA2EA832E0B1B19C56B131342D344934462AEE370B35');
INSERT INTO "vectors" VALUES('default',256057609356405,'01a60ee3-a980-7003-add1-56b1b4a1f546',13592072266832,109,X'ED251864987C367E9641FBDC89C1D83E9BF0FA2E3EECEF8F301C79F619BFAC81',X'BBB638B22BB411AA34B16438FDAB7F32BE31C8B29C3208359AAFE7B37C3280AD');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7008-b3a6-2e71540de450',117270376037908,3,X'085EC46888E8B9BD07021D9BB003BB1DD59E6B8C0D7E613665ED74551FA34160',X'58B1933399AC0CB45D38F72E32B4372C0C31EF0C8636F3ACE830A5B366364131');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7009-8561-9212fbd7d0ab',117270376037908,4,X'93AD96E242695A7771047D823E085D30213AE4202C69BF884FA7D34CDBEEC1E1',X'763296ADCB316E20AA30E63836B43B2D42B48DAE6BAAD034ED3715B125A94325');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-700a-aea1-53b7c4a9b9a4',117270376037908,6,X'24DAFD87E567066BEB0C3480CAAEE42E0E06B3830E263D4AE5FD1CD12FFAE0AD',X'FA2E2F30FCB018A470320229D1B4B4B34437B52FFF34F8B65437732F712BAEB0');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-700c-8629-f46504f68ae2',117270376037908,9,X'8D1A237CA7D2A9F627A75F0423A5990BD56256A2C532F19E24336737E3A7718E',X'C2380F33CEA7B7B73A2FE33217B0B827C0B355B1C0B412B3EF2E212921AE8F32');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-700d-9a1f-bd7ca5f1ac29',117270376037908,10,X'BA9DFDD285769B6D7173E6BA46DF2467F92464F35F03CDE55F5A1244C9CA35B4',X'7D270428DFAD3AAA692F7B3645B2B2340DB1A62EC8B2E13469397EB2B2ADB2AC');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-700e-9652-1c32751b4b5b',117270376037908,12,X'BC9B9DC9E4BA4FA8267F0A72722846671715225C2053F08F3BD475B36319C3F0',X'08347832D4337CB766B053339FAC5DA541B8ADB2B1B638B041B06E2900AAF998');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7010-a50b-dd548c8b7684',117270376037908,15,X'0F0E6DBBBB4192CF4786C1C8067E477DE1FB035FC2239DADCB7B7F95DB69307F',X'97AC1E3487B0B5B5E3344235CFB43D359E2F9C2F33358A240D9ED1B25835D634');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7011-90af-b99f61e1a24b',117270376037908,16,X'C28B3193ADB89B3EFCE24B778778F935BC566283C70E2A04D479A656862DD36C',X'583301309CA672ABD72C45382BB3EE2D25B26F36E6B08EA080384AB1722EEE29');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7012-a705-fc435c949c45',117270376037908,20,X'5572490356E46CFC19B0FB13B2E435540CBBFD3162CEC814A806F90163697EF3',X'EC32FC311FB4A3B121A9533536B6E72DFE366A342B3465B596341730D6247C29');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7014-8c82-12921de59e7e',117270376037908,23,X'6FAE9C8E227118D15FDEC88FC2E758D278F5226224E22B2C71011B5CA42D0A97',X'7630B9AC49B03CB0CFA7FD33CEB18734F5B347AAFD3070B3FBB0AAB7CD30B238');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7015-8e8e-4eb37773b953',117270376037908,24,X'F41E0729B9BE1FB6D53411177047F9A3B4A441313449EC08F27AEAFB5A11C727',X'992EBDB17E26A62C9232CD38DAB31F35C6B5D72A2AACAA2DA5366FAD3C22ED33');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7016-aea0-6aa29141ac16',117270376037908,26,X'ED05E309163617DD9C95465B84BE26CD2CDBE4A06A862F0EB0BC200B8CE71F16',X'63319CAE30AC9DB705B74921DCAFC22EDBAE563075B23929C83006B59CA88138');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7018-8ca6-d256a1d48afe',117270376037908,29,X'299AB1813E750A3E08161EB1CEAA0BE0FE4B846D941F41791F6D1EBBA7E57FEF',X'482F8C296DB0F2256434F63807AC123125B23AB42624632EC638BDA91EA668A8');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-701a-acbb-de4fda96f0a0',50985773150057,2,X'30710D392FC5FFEC7C9FA17E1CDD7FB4ABDED1116B9D614E4B67EDC3CC76C8E5',X'253043AFCC2C87A37D3054B536B1CDACB42A8036993366B7873558B7E0311F11');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-701e-a130-a36ea10011a8',117270376037908,32,X'52D8EB2E15DCD858FFDB4AF26A5E5A300A56C5BD92294D5F7270806D7D968738',X'1DB522A62D33EA32F9AC231D5B32F7B3069F18B088388024AE2BEB316D38F3AE');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-701f-a139-81fb9adac43a',117270376037908,35,X'C2186EE8452F7850A8779B88DB75ABFC2AC50F01CE03831B42D481F909A5626B',X'8D3310B53AB4C7346A2FCA2EA832E0B1B19C56B131342D344934462AEE370B35');
INSERT INTO "vectors" VALUES('acme',256057609356405,'01a60ee3-a980-7020-977d-bb57cd0dd932',117270376037908,36,X'ED251864987C367E9641FBDC89C1D83E9BF0FA2E3EECEF8F301C79F619BFAC81',X'BBB638B22BB411AA34B16438FDAB7F32BE31C8B29C3208359AAFE7B37C3280AD');
CREATE INDEX attributes_by_value ON attributes (tenant, user_id, attribute);
CREATE INDEX cached_patterns_by_time ON cached_patterns (tenant, user_id, updated_at, id);
CREATE INDEX claims_by_subject ON claims (tenant, user_id, subject, relation);
CREATE INDEX config_changes_by_time ON config_changes (tenant, user_id, updated_at, id);
CREATE INDEX contexts_by_time ON contexts (tenant, user_id, at, id);
CREATE INDEX decisions_by_goal ON decisions (tenant, goal_id);
CREATE INDEX decisions_by_task ON decisions (tenant, task_id);
CREATE INDEX decisions_by_time ON decisions (tenant, user_id, updated_at, id);
CREATE INDEX documents_by_time ON documents (tenant, user_id, updated_at, id);
CREATE INDEX events_by_time ON events (tenant, at, id);
CREATE INDEX generation_changes_by_user ON generation_changes (tenant, user_id);
CREATE INDEX goals_by_parent ON goals (tenant, parent_id);
CREATE INDEX goals_by_status ON goals (tenant, status, id);
CREATE INDEX goals_by_time ON goals (tenant, user_id, updated_at, id);
CREATE INDEX history_by_user ON history (tenant, user_id);
CREATE INDEX incidents_by_time ON incidents (tenant, user_id, updated_at, id);
CREATE INDEX interactions_by_session ON interactions (tenant, user_id, session_id, id);
CREATE INDEX interactions_by_time ON interactions (tenant, occurred_at, id);
CREATE INDEX interactions_in_backlog ON interactions (tenant, backlog, id) WHERE backlog IS NOT NULL;
CREATE INDEX items_by_content ON items (tenant, user_id, content_hash);
CREATE INDEX items_by_record ON items (tenant, record) WHERE record IS NOT NULL;
CREATE INDEX items_by_revision ON items (tenant, user_id, revision);
CREATE INDEX items_by_time ON items (tenant, user_id, occurred_at, id);
CREATE INDEX items_by_version ON items (tenant, version_of) WHERE version_of IS NOT NULL;
CREATE INDEX items_unembedded ON items (tenant, id) WHERE unembedded;
CREATE INDEX links_by_other ON links (tenant, other_id);
CREATE INDEX mentions_by_entity ON mentions (tenant, user_id, entity);
CREATE INDEX procedures_by_time ON procedures (tenant, user_id, updated_at, id);
CREATE INDEX sources_by_interaction ON sources (tenant, interaction_id);
CREATE INDEX tasks_by_goal ON tasks (tenant, goal_id);
CREATE INDEX tasks_by_status ON tasks (tenant, status, id);
CREATE INDEX tasks_by_time ON tasks (tenant, user_id, updated_at, id);
CREATE INDEX vectors_by_content ON vectors (tenant, space, embedded_hash);
CREATE INDEX vectors_by_revision ON vectors (tenant, space, shelf, revision);
COMMIT;
