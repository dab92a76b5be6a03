#!/bin/sh
# Encodes every NAME.txtpb into NAME.bin with protoc.
set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp ../../../lib/codec/streams/streams.proto newer.proto "$folder"
sed 's/packed = true/packed = false/' "$folder/streams.proto" >"$folder/unpacked.proto"

for source in *.txtpb; do
  name=${source%.txtpb}
  type=${name%%-*}
  case $name in
    *-unpacked) schema=unpacked package=streams ;;
    *-newer) schema=newer package=newer ;;
    *) schema=streams package=streams ;;
  esac
  protoc -I "$folder" --encode="cellsight.vision.$package.$type" "$folder/$schema.proto" <"$source" >"$name.bin"
done
